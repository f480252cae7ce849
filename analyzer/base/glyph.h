#ifndef SYNCL_GLYPH_H
#define SYNCL_GLYPH_H
/* Text of other people made safe to show: takes any bytes, gives valid UTF-8 piece by piece. Bytes that are not
   UTF-8 become U+FFFD; controls, format controls (all but the joiner of emoji) and noncharacters become a visible
   escape (\x1b, \u202e, \ufffe), so that nothing of the analysed files can drive a terminal, and every XML parser
   takes it. Owns nothing, cannot fail. */
#include "text.h"

typedef struct Glyph {
    uint32_t code;     /* the code point; 0xFFFD for a byte that is not UTF-8 */
    uint32_t consumed; /* bytes of the text, at least 1 */
    uint32_t width;    /* columns on a terminal: 0, 1, 2, or the length of the escape */
    uint32_t length;   /* of bytes */
    char bytes[12];    /* what to show */
} Glyph;

Glyph glyph_next(Text text, uint32_t at);  /* at < text.length */
Text glyph_utf8(Arena *arena, Text text);  /* U+FFFD for invalid bytes, controls kept: for JSON strings */
Text glyph_clean(Arena *arena, Text text); /* every glyph of the text in its safe form, on one line */
uint32_t glyph_width(Text text);           /* columns of its safe form */

#endif
