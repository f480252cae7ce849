#include "given_shape.h"
#include <string.h>

static const double largest = 1e12; /* most elements of a dimension: more is a typing error */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static bool read_name(const char **at, GivenShape *out) {
    const char *first = *at;
    if (!is_letter(**at)) return false;
    while (is_letter(**at) || text_is_digit(**at)) ++*at;
    out->name = (Text){first, (uint32_t)(*at - first)};
    return *(*at)++ == '=';
}

static bool read_dims(const char *at, GivenShape *out) {
    for (out->rank = 0; out->rank < GIVEN_RANK;) {
        double dim = 0;
        if (!text_is_digit(*at)) return false;
        for (; text_is_digit(*at); at++) dim = dim * 10 + (*at - '0');
        if (dim < 1 || dim > largest) return false;
        out->dims[out->rank++] = dim;
        if (!*at) return true;
        if (*at++ != 'x') return false;
    }
    return false;
}

static uint32_t skip_blanks(Text text, uint32_t at) {
    while (at < text.length && (text.bytes[at] == ' ' || text.bytes[at] == '\t')) at++;
    return at;
}

static bool read_dim(Text text, uint32_t *at, GivenShape *out) {
    double dim = 0;
    for (; *at < text.length && text_is_digit(text.bytes[*at]); ++*at) dim = dim * 10 + (text.bytes[*at] - '0');
    if (dim < 1 || dim > largest || out->rank == GIVEN_RANK) return false;
    out->dims[out->rank++] = dim;
    return true;
}

bool given_shape_in_brackets(Text text, uint32_t *at, GivenShape *out) {
    *out = (GivenShape){0};
    if (*at >= text.length || (text.bytes[*at] != '(' && text.bytes[*at] != '[')) return false;
    char end = text.bytes[(*at)++] == '(' ? ')' : ']';
    for (*at = skip_blanks(text, *at); *at < text.length; *at = skip_blanks(text, *at + 1)) {
        if (text.bytes[*at] == end && out->rank) return ++*at, true; /* after a comma: (64,) */
        if (!read_dim(text, at, out)) return false;
        *at = skip_blanks(text, *at);
        if (*at < text.length && text.bytes[*at] == end) return ++*at, true;
        if (*at >= text.length || text.bytes[*at] != ',') return false;
    }
    return false;
}

bool given_shape_read(Arena *arena, const char *text, GivenShape *out, Text *error) {
    const char *at = text;
    if (read_name(&at, out) && read_dims(at, out)) return true;
    *error =
        text_format(arena, "--shape takes a variable and its sizes, like images=64x3x224x224, not '%s'", text);
    return false;
}
