#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "columns.h"
#include "glyph.h"
#include <stdlib.h>
#include <sys/ioctl.h>

enum { FOLD_INDENT = 4 };

static uint32_t within(unsigned long columns) {
    return columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns > COLUMNS_MOST ? COLUMNS_MOST : (uint32_t)columns;
}

uint32_t columns_wanted(int descriptor) {
    const char *given = getenv("COLUMNS");
    char *end = NULL;
    unsigned long columns = given && *given ? strtoul(given, &end, 10) : 0;
    struct winsize size = {0};
    if (columns && !*end) return within(columns);
    if (descriptor >= 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col) return within(size.ws_col);
    return COLUMNS_USUAL;
}

Text columns_cut(Arena *arena, Text text, uint32_t columns) {
    Text clean = glyph_clean(arena, text);
    uint32_t width = 0, fits = 0, at = 0;
    for (; at < clean.length; at += glyph_next(clean, at).consumed) {
        width += glyph_next(clean, at).width;
        if (width > columns) break;
        if (width + 3 <= columns) fits = at + glyph_next(clean, at).consumed;
    }
    if (at >= clean.length) return clean;
    while (fits && clean.bytes[fits - 1] == ' ') fits--;
    return text_format(arena, "%.*s...", (int)fits, clean.bytes);
}

/* The byte after the escape sequence (a style or a link of ours) that starts at `at`; `at` itself where none
   does. */
static uint32_t escape_end(Text text, uint32_t at) {
    if (text.bytes[at] != '\x1b') return at;
    bool link = at + 1 < text.length && text.bytes[at + 1] == ']';
    while (at < text.length && text.bytes[at] != (link ? '\\' : 'm')) at++;
    return at < text.length ? at + 1 : at;
}

static uint32_t indent_of(Text line) {
    uint32_t indent = 0;
    while (indent < line.length && line.bytes[indent] == ' ') indent++;
    return indent + FOLD_INDENT;
}

static void fold_line(Output *output, Text line, uint32_t columns) {
    uint32_t column = 0, start = 0, blank = 0, indent = indent_of(line);
    if (indent > columns / 2) indent = FOLD_INDENT;
    for (uint32_t at = 0; at < line.length;) {
        uint32_t escape = escape_end(line, at);
        if (escape > at) {
            at = escape;
            continue;
        }
        Glyph glyph = glyph_next(line, at);
        if (column + glyph.width > columns) {
            uint32_t end = blank > start ? blank : at;
            output_bytes(output, text_slice(line, start, end));
            output_text(output, "\n");
            output_repeat(output, ' ', indent);
            start = at = end + (blank > start);
            column = indent, blank = 0;
            continue;
        }
        if (line.bytes[at] == ' ' && column >= indent) blank = at;
        column += glyph.width, at += glyph.consumed;
    }
    output_bytes(output, text_slice(line, start, line.length));
}

void columns_fold(Output *output, uint32_t from, uint32_t columns) {
    if (output->bytes.count <= from) return;
    uint32_t count = output->bytes.count - from;
    Text all = {arena_copy(output->arena, output->bytes.items + from, count), count};
    output->bytes.count = from;
    for (uint32_t at = 0, end; at < all.length; at = end) {
        for (end = at; end < all.length && all.bytes[end] != '\n';) end++;
        fold_line(output, text_slice(all, at, end), columns);
        if (end < all.length) output_text(output, "\n"), end++;
    }
}
