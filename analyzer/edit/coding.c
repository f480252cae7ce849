#include "coding.h"
#include "glyph.h"

static const Text mark = {"\xEF\xBB\xBF", 3};

static uint32_t line_end(Text source, uint32_t at) {
    while (at < source.length && source.bytes[at] != '\n' && source.bytes[at] != '\r') at++;
    return at;
}

static uint32_t blanks_end(Text source, uint32_t at) {
    while (at < source.length &&
           (source.bytes[at] == ' ' || source.bytes[at] == '\t' || source.bytes[at] == '\f'))
        at++;
    return at;
}

static bool is_name(char c) { return c == '-' || c == '.' || (text_is_word(c) && !((unsigned char)c & 0x80)); }

/* The name after `coding:` or `coding=` in a comment that is a whole line; empty = none. */
static Text named_in(Text line) {
    uint32_t at = blanks_end(line, 0);
    if (at == line.length || line.bytes[at] != '#') return TEXT("");
    for (; at + 7 < line.length; at++) {
        Text rest = text_slice(line, at, line.length);
        if (!text_starts(rest, TEXT("coding:")) && !text_starts(rest, TEXT("coding="))) continue;
        uint32_t start = at + 7;
        while (start < line.length && (line.bytes[start] == ' ' || line.bytes[start] == '\t')) start++;
        uint32_t end = start;
        while (end < line.length && is_name(line.bytes[end])) end++;
        if (end > start) return text_slice(line, start, end);
    }
    return TEXT("");
}

/* In the first line, or in the second if the first is blank or a comment. */
static Text named(Text source) {
    uint32_t start = text_starts(source, mark) ? mark.length : 0, end = line_end(source, start);
    Text name = named_in(text_slice(source, start, end));
    uint32_t first = blanks_end(source, start);
    if (name.length || (first < end && source.bytes[first] != '#') || end == source.length) return name;
    start = end + 1 + (text_starts(text_slice(source, end, source.length), TEXT("\r\n")));
    return named_in(text_slice(source, start, line_end(source, start)));
}

/* Compares as Python does: in lower case, with hyphens. */
static bool is_like(Text name, const char *const *families, size_t count) {
    char plain[16] = "";
    for (uint32_t i = 0; i < name.length && i + 1 < sizeof plain; i++) {
        char c = name.bytes[i];
        plain[i] = c == '_' ? '-' : (char)(c >= 'A' && c <= 'Z' ? c + 0x20 : c);
    }
    for (size_t i = 0; i < count; i++)
        if (strncmp(plain, families[i], strlen(families[i])) == 0) return true;
    return false;
}

Coding coding_of(Text source) {
    static const char *const utf8[] = {"utf-8", "utf8", "u8"};
    static const char *const single[] = {"latin", "iso-8859",    "iso8859", "ascii",    "us-ascii",
                                         "cp125", "windows-125", "koi8-",   "iso-latin"};
    Text name = named(source);
    if (!name.length || is_like(name, utf8, sizeof utf8 / sizeof *utf8)) return CODING_UTF8;
    return is_like(name, single, sizeof single / sizeof *single) ? CODING_BYTES : CODING_UNKNOWN;
}

static bool is_utf8(Text text) {
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        if (glyph.code == 0xFFFD && glyph.consumed == 1) return false;
        at += glyph.consumed;
    }
    return true;
}

/* A byte order mark means UTF-8; Python then accepts no other declaration. */
bool coding_fits(Coding coding, Text source) {
    if (coding == CODING_UTF8) return is_utf8(source);
    return coding == CODING_BYTES && !text_starts(source, mark);
}

bool coding_holds(Coding coding, Text text) {
    if (coding == CODING_UTF8) return is_utf8(text);
    for (uint32_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] & 0x80) return false;
    return coding == CODING_BYTES;
}
