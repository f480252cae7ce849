#include "glyph.h"
#include <stdio.h>

typedef enum Shape { SHAPE_ZERO, SHAPE_WIDE, SHAPE_ESCAPED } Shape;
typedef struct Range {
    uint32_t first, last;
    Shape shape;
} Range;

static const Range ranges[] = {
#define ZERO(first, last) {first, last, SHAPE_ZERO},
#define WIDE(first, last) {first, last, SHAPE_WIDE},
#define ESCAPED(first, last) {first, last, SHAPE_ESCAPED},
#include "width.def"
};

/* The last two code points of each plane. */
static const Range noncharacters = {0xFFFE, 0xFFFF, SHAPE_ESCAPED};

static const Range *range_of(uint32_t code) {
    if ((code & 0xFFFE) == 0xFFFE) return &noncharacters;
    size_t low = 0, high = sizeof ranges / sizeof ranges[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return &ranges[middle];
    }
    return NULL;
}

/* Length of the UTF-8 sequence that starts with this byte; 0 = no sequence starts with it. */
static uint32_t announced_length(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

static bool is_scalar(uint32_t code, uint32_t length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[length] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

/* The code point at `at`, or 0xFFFD with *consumed = 1 when the bytes there are not UTF-8. */
static uint32_t decode(Text text, uint32_t at, uint32_t *consumed) {
    const unsigned char *bytes = (const unsigned char *)text.bytes + at;
    uint32_t length = announced_length(bytes[0]);
    *consumed = 1;
    if (length == 1) return bytes[0];
    if (length == 0 || length > text.length - at) return 0xFFFD;
    uint32_t code = bytes[0] & (0x7Fu >> length);
    for (uint32_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 0xFFFD;
        code = code << 6 | (bytes[i] & 0x3Fu);
    }
    if (!is_scalar(code, length)) return 0xFFFD;
    *consumed = length;
    return code;
}

static void escape(Glyph *glyph) {
    static const char named[] = "\tt\nn\rr";
    const char *name = NULL;
    for (size_t i = 0; i + 1 < sizeof named; i += 2)
        if (glyph->code == (unsigned char)named[i]) name = &named[i + 1];
    int length;
    if (name)
        length = snprintf(glyph->bytes, sizeof glyph->bytes, "\\%c", *name);
    else if (glyph->code < 0x100)
        length = snprintf(glyph->bytes, sizeof glyph->bytes, "\\x%02x", glyph->code);
    else if (glyph->code < 0x10000)
        length = snprintf(glyph->bytes, sizeof glyph->bytes, "\\u%04x", glyph->code);
    else
        length = snprintf(glyph->bytes, sizeof glyph->bytes, "\\U%08x", glyph->code);
    glyph->length = (uint32_t)length;
    glyph->width = glyph->length;
}

Glyph glyph_next(Text text, uint32_t at) {
    char first = text.bytes[at];
    if (first >= ' ' && first <= '~') /* printable ASCII, by far the most common */
        return (Glyph){.code = (unsigned char)first, .consumed = 1, .width = 1, .length = 1, .bytes = {first}};
    Glyph glyph = {.width = 1};
    glyph.code = decode(text, at, &glyph.consumed);
    const Range *range = range_of(glyph.code);
    if (range && range->shape == SHAPE_ESCAPED) {
        escape(&glyph);
        return glyph;
    }
    if (range) glyph.width = range->shape == SHAPE_WIDE ? 2 : 0;
    if (glyph.code == 0xFFFD) {
        memcpy(glyph.bytes, "\xEF\xBF\xBD", glyph.length = 3);
    } else {
        memcpy(glyph.bytes, text.bytes + at, glyph.length = glyph.consumed);
    }
    return glyph;
}

static Text rewrite(Arena *arena, Text text, bool escapes) {
    VEC(char) bytes = {0};
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        bool as_it_is = !escapes && glyph.code != 0xFFFD;
        const char *from = as_it_is ? text.bytes + at : glyph.bytes;
        uint32_t length = as_it_is ? glyph.consumed : glyph.length;
        for (uint32_t i = 0; i < length; i++) vec_push(arena, &bytes, from[i]);
        at += glyph.consumed;
    }
    return (Text){bytes.items ? bytes.items : "", bytes.count};
}

Text glyph_utf8(Arena *arena, Text text) { return rewrite(arena, text, false); }

Text glyph_clean(Arena *arena, Text text) { return rewrite(arena, text, true); }

uint32_t glyph_width(Text text) {
    uint32_t width = 0;
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        width += glyph.width;
        at += glyph.consumed;
    }
    return width;
}
