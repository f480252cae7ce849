#ifndef SYNCL_OUTPUT_H
#define SYNCL_OUTPUT_H
/* The bytes of a report: gathered in an arena and written in one go, so that a failure leaves no half-written
   file. Text of analysed files may be added with output_clean only, which makes it safe. */
#include "text.h"

typedef enum Style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_WARNING, STYLE_NOTE, STYLE_ERROR, STYLE_ADDED } Style;

typedef struct Output {
    Arena *arena;
    VEC(char) bytes;
    bool color;    /* write styles as terminal escapes; else they are dropped */
    bool links;    /* write places as hyperlinks (OSC 8); else as plain text */
    Text folder;   /* the working folder, absolute: needed for links */
    uint32_t columns; /* width of text formats; 0 = COLUMNS_USUAL */
    bool workflow; /* GITHUB_ACTIONS is set: the log is scanned for commands, so output_guarded breaks those up */
} Output;

void output_text(Output *output, const char *text); /* our own words */
void output_bytes(Output *output, Text text);       /* text known to be safe */
void output_clean(Output *output, Text text);       /* text of any origin, escaped and on one line */
void output_repeat(Output *output, char c, uint32_t count);
void output_format(Output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));
void output_style(Output *output, Style style); /* until the next style; STYLE_PLAIN ends it */
void output_uri(Output *output, Text path);     /* a path as part of a URI */
/* The text written between two calls becomes a link to the file `path` where `links` is set; NULL ends the
   link. */
void output_link(Output *output, const Text *path);
/* Writes `text` wrapped at `width` columns. The first line continues at column `indent` (already written); each
   further line starts with `prefix` and blanks up to that column. */
void output_wrapped(Output *output, Text text, Text prefix, uint32_t indent, uint32_t width);

/* All bytes so far. With `workflow`, no line begins with `::` and `##[` occurs nowhere. */
Text output_guarded(const Output *output);
bool output_to_file(Text bytes, const char *path, Text *error, Arena *arena); /* by a temporary file and a rename */
bool output_append(Text bytes, const char *path, Text *error, Arena *arena);  /* keeps what the file already holds */
bool output_to_descriptor(Text bytes, int descriptor);                        /* false: errno says why */

#endif
