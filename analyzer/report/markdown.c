#include "markdown.h"
#include "glyph.h"

void markdown_text(Output *output, Text text) {
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        bool markup = glyph.length == 1 && strchr("|&<>[]()*_`~\\#@!:{}$\"'", glyph.bytes[0]);
        if (markup)
            output_format(output, "&#%d;", glyph.bytes[0]);
        else
            output_bytes(output, (Text){glyph.bytes, glyph.length});
        at += glyph.consumed;
    }
}

void markdown_sentence(Output *output, Text text) {
    for (uint32_t at = 0; at < text.length;) {
        const char *open = memchr(text.bytes + at, '`', text.length - at);
        uint32_t start = open ? (uint32_t)(open - text.bytes) : text.length;
        const char *shut = start + 1 < text.length ? memchr(open + 1, '`', text.length - start - 1) : NULL;
        uint32_t end = shut ? (uint32_t)(shut - text.bytes) : text.length;
        markdown_text(output, text_slice(text, at, shut ? start : text.length));
        at = text.length;
        if (!shut) continue;
        output_text(output, "<code>");
        markdown_text(output, text_slice(text, start + 1, end));
        output_text(output, "</code>");
        at = end + 1;
    }
}
