#ifndef SYNCL_OUTPUT_H
#define SYNCL_OUTPUT_H
/* Where a report goes: bytes gathered in an arena and written in one go, so that a failure leaves nothing
   half-written. Text of analysed files enters through output_clean only. */
#include "text.h"

typedef enum Style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_WARNING, STYLE_NOTE, STYLE_ERROR, STYLE_ADDED } Style;

typedef struct Output {
    Arena *arena;
    VEC(char) bytes;
    bool color;    /* styles become terminal escapes, else nothing */
    bool links;    /* places become hyperlinks (OSC 8), else nothing */
    Text folder;   /* the current one, absolute: links need it */
    uint32_t columns; /* of text formats; 0 = COLUMNS_USUAL */
    bool workflow; /* GITHUB_ACTIONS is set: the log is read for commands, so output_guarded breaks those up */
} Output;

void output_text(Output *output, const char *text); /* our own words */
void output_bytes(Output *output, Text text);       /* already safe */
void output_clean(Output *output, Text text);       /* anybody's words, on one line */
void output_repeat(Output *output, char c, uint32_t count);
void output_format(Output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));
void output_style(Output *output, Style style); /* until the next style; STYLE_PLAIN ends it */
void output_uri(Output *output, Text path);     /* a path as part of a URI */
/* The words between two calls open a file when they are clicked, where `links` is set; NULL ends it. */
void output_link(Output *output, const Text *path);
/* Words wrapped at `width` columns; the first line starts at column `indent` (already written), the others are
   indented to it by `prefix` and blanks. */
void output_wrapped(Output *output, Text text, Text prefix, uint32_t indent, uint32_t width);

/* Everything gathered; with `workflow`, no line begins with `::` and nowhere stands `##[`. */
Text output_guarded(const Output *output);
bool output_to_file(Text bytes, const char *path, Text *error, Arena *arena); /* temporary file, then rename */
bool output_append(Text bytes, const char *path, Text *error, Arena *arena);  /* to what others wrote there */
bool output_to_descriptor(Text bytes, int descriptor);                        /* false: errno says why */

#endif
