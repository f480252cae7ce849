#include "markup.h"
#include "glyph.h"

void markup_text(Output *output, Text text, const char *escaped) {
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        if (glyph.length == 1 && strchr(escaped, glyph.bytes[0]))
            output_format(output, "&#%d;", glyph.bytes[0]);
        else
            output_bytes(output, (Text){glyph.bytes, glyph.length});
        at += glyph.consumed;
    }
}

void markup_sentence(Output *output, Text text, const char *escaped) {
    for (uint32_t at = 0; at < text.length;) {
        const char *open = memchr(text.bytes + at, '`', text.length - at);
        uint32_t start = open ? (uint32_t)(open - text.bytes) : text.length;
        const char *shut = start + 1 < text.length ? memchr(open + 1, '`', text.length - start - 1) : NULL;
        uint32_t end = shut ? (uint32_t)(shut - text.bytes) : text.length;
        markup_text(output, text_slice(text, at, shut ? start : text.length), escaped);
        at = text.length;
        if (!shut) continue;
        output_text(output, "<code>");
        markup_text(output, text_slice(text, start + 1, end), escaped);
        output_text(output, "</code>");
        at = end + 1;
    }
}
