#ifndef SYNCL_TEXT_H
#define SYNCL_TEXT_H
/* Byte spans and interned names. A Text points into memory that somebody else owns (an arena, a mapped file)
   and is not terminated. A Names table gives each distinct byte string one id; ids start at 1, 0 = none;
   equal strings have equal ids, so names compare as integers. */
#include "arena.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

typedef struct Text {
    const char *bytes;
    uint32_t length;
} Text;

#define TEXT(literal) ((Text){(literal), (uint32_t)(sizeof(literal) - 1)})
#define SHOWN(text) (int)(text).length, (text).bytes /* the two arguments of `%.*s` */

Text text_of(const char *terminated);
static inline bool text_equal(Text a, Text b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline bool text_starts(Text text, Text prefix) {
    return prefix.length <= text.length && (prefix.length == 0 || memcmp(text.bytes, prefix.bytes, prefix.length) == 0);
}

/* Whether it equals a zero-terminated string. Tables of names are searched so, where most differ in the first
   byte. */
static inline bool text_is(Text text, const char *terminated) {
    uint32_t at = 0;
    while (at < text.length && terminated[at] && terminated[at] == text.bytes[at]) at++;
    return at == text.length && !terminated[at];
}

/* A byte of a Python identifier: letter, digit, underscore, or anything beyond ASCII. */
static inline bool text_is_word(char c) {
    return ((unsigned char)c & 0x80) || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool text_is_digit(char c) { return c >= '0' && c <= '9'; }

bool text_ends(Text text, Text suffix);
uint32_t text_find(Text text, Text part); /* where it begins first; text.length if nowhere */
bool text_holds(Text text, const char *part);
bool text_holds_any(Text text, const char *const *parts, size_t count);
bool text_is_any(Text text, const char *const *words, size_t count);
bool text_like(Text text, Text pattern); /* patterns: `whole`, `start*`, `*end`, `*part*`, `start*end` */
Text text_item(Text *list);              /* takes the next item off the list 'a, b, c'; empty at its end */
Text text_cut(Text text, uint32_t limit); /* to at most so many bytes, and hence characters, none of them cut */
int text_order(const void *a, const void *b); /* for qsort: by byte order of the Text at the start of each item */
int text_compare(Text a, Text b); /* byte order, as memcmp; a prefix sorts first */
/* Normalises line ends as Python reads them: a carriage return without a line feed after it becomes a line
   feed. No byte moves. */
void text_end_lines(char *bytes, size_t length);
Text text_slice(Text text, uint32_t start, uint32_t end);
Text text_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t text_hash(Text text);

typedef VEC(const char *) Strings; /* zero-terminated each */

typedef uint32_t Sym; /* 0 = none */

typedef struct Names {
    Arena *arena; /* owns the copied bytes and the tables */
    VEC(Text) texts; /* texts.items[id - 1] */
    uint32_t *slots;
    uint32_t slot_count;
} Names;

Sym names_intern(Names *names, Text text);     /* copies the bytes */
Sym names_keep(Names *names, Text text);       /* without copying: the bytes must live as long as the table */
Sym names_find(const Names *names, Text text); /* 0 when it is not in the table */

/* The text of a name; empty for 0. */
static inline Text names_text(const Names *names, Sym name) {
    assert(name <= names->texts.count);
    return name ? names->texts.items[name - 1] : (Text){"", 0};
}

#endif
