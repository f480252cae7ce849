#include "toml_scalar.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { TOKEN_BYTES = 400 };

/* ---- bytes ---- */

/* Length of the UTF-8 sequence at `at`; 0 = invalid, which includes overlong forms, surrogates and values
   beyond Unicode. */
static uint32_t sequence(Text bytes, uint32_t at) {
    const unsigned char *s = (const unsigned char *)bytes.bytes + at;
    uint32_t left = bytes.length - at;
    if (s[0] < 0x80) return 1;
    uint32_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4 || left < length) return 0;
    for (uint32_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

uint32_t toml_first_bad(Text bytes) {
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        unsigned char c = (unsigned char)bytes.bytes[at];
        bool line_end = c == '\n' || (c == '\r' && at + 1 < bytes.length && bytes.bytes[at + 1] == '\n');
        if ((c < 0x20 && c != '\t' && !line_end) || c == 0x7F) return at;
        length = sequence(bytes, at);
        if (!length) return at;
    }
    return bytes.length;
}

/* ---- strings ---- */

static uint32_t encode(uint32_t code, char *out) {
    uint32_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (uint32_t i = length; i-- > 1; code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[length] | code);
    return length;
}

typedef struct Decode {
    Text from;
    uint32_t at;
    char *out;
    uint32_t count;
    bool many_lines;
} Decode;

static bool code_point(Decode *self, uint32_t digits) {
    uint32_t code = 0;
    for (uint32_t i = 0; i < digits; i++, self->at++) {
        if (self->at >= self->from.length) return false;
        char c = self->from.bytes[self->at];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16) return false;
        code = code << 4 | digit;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    self->count += encode(code, self->out + self->count);
    return true;
}

/* A backslash at the end of a line skips the blanks and line ends after it. */
static bool joins_lines(Decode *self) {
    uint32_t at = self->at;
    while (at < self->from.length && (self->from.bytes[at] == ' ' || self->from.bytes[at] == '\t')) at++;
    if (at < self->from.length && self->from.bytes[at] == '\r') at++;
    if (!self->many_lines || at >= self->from.length || self->from.bytes[at] != '\n') return false;
    while (at < self->from.length && strchr(" \t\r\n", self->from.bytes[at])) at++;
    self->at = at;
    return true;
}

static bool escape(Decode *self) {
    static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    self->at++;
    if (joins_lines(self)) return true;
    if (self->at >= self->from.length) return false;
    char c = self->from.bytes[self->at++];
    if (c == 'u') return code_point(self, 4);
    if (c == 'U') return code_point(self, 8);
    const char *found = c ? strchr(names, c) : NULL;
    if (found) self->out[self->count++] = values[found - names];
    return found;
}

const char *toml_string(Arena *result, Text token, Text *value) {
    char quote = token.length ? token.bytes[0] : '\0';
    bool many_lines = token.length >= 6 && token.bytes[1] == quote && token.bytes[2] == quote;
    uint32_t width = many_lines ? 3 : 1;
    if (token.length < 2 * width) return "a string does not end";
    Text inside = text_slice(token, width, token.length - width);
    if (many_lines && inside.length && inside.bytes[0] == '\r') inside = text_slice(inside, 1, inside.length);
    if (many_lines && inside.length && inside.bytes[0] == '\n') inside = text_slice(inside, 1, inside.length);
    const char ends[] = {quote, quote, quote};
    Decode self = {inside, 0, arena_alloc(result, inside.length + 1u), 0, many_lines};
    while (self.at < inside.length) {
        char c = inside.bytes[self.at];
        if (self.at + 2 < inside.length && memcmp(inside.bytes + self.at, ends, 3) == 0)
            return "a string goes on after its end";
        if (!many_lines && c == '\n') return "a string does not end on its line";
        if (c == '\\' && quote == '"') {
            if (!escape(&self)) return "a string holds an escape that TOML does not know";
        } else {
            self.out[self.count++] = c;
            self.at++;
        }
    }
    *value = (Text){self.out, self.count};
    return NULL;
}

/* ---- numbers ---- */

/* Copies the digits without underscores, each of which must be between two digits. */
static bool plain_digits(Text token, char *out, int (*is_digit)(char)) {
    uint32_t count = 0;
    if (token.length >= TOKEN_BYTES) return false;
    for (uint32_t i = 0; i < token.length; i++) {
        char c = token.bytes[i];
        bool between =
            i > 0 && i + 1 < token.length && is_digit(token.bytes[i - 1]) && is_digit(token.bytes[i + 1]);
        if (c == '_' && !between) return false;
        if (c != '_') out[count++] = c;
    }
    out[count] = '\0';
    return count > 0;
}

static int is_decimal(char c) { return c >= '0' && c <= '9'; }
static int is_hexadecimal(char c) { return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static bool has_leading_zero(const char *digits) {
    digits += *digits == '+' || *digits == '-';
    return digits[0] == '0' && is_decimal(digits[1]);
}

const char *toml_integer(Text token, TomlValue *value) {
    char digits[TOKEN_BYTES], *end = digits;
    const char *start = digits;
    int base = 10;
    if (token.length > 2 && token.bytes[0] == '0' && !is_decimal(token.bytes[1]) && token.bytes[1] != '_') {
        base = token.bytes[1] == 'x' ? 16 : token.bytes[1] == 'o' ? 8 : 2;
        token = text_slice(token, 2, token.length);
    }
    if (!plain_digits(token, digits, base == 16 ? is_hexadecimal : is_decimal)) return "not a whole number";
    if (base == 10 && has_leading_zero(digits)) return "a number begins with a zero";
    if (base != 10 && !is_hexadecimal(digits[0])) return "not a whole number";
    errno = 0;
    value->integer = strtoll(start, &end, base);
    if (*end) return "not a whole number";
    if (errno) return "a number is too large";
    value->number = (double)value->integer;
    return NULL;
}

const char *toml_float(Text token, TomlValue *value) {
    char digits[TOKEN_BYTES], *end = digits;
    if (!plain_digits(token, digits, is_decimal)) return "not a number";
    const char *bare = digits + (*digits == '+' || *digits == '-');
    bool is_word = strcmp(bare, "inf") == 0 || strcmp(bare, "nan") == 0;
    if (!is_word && (!is_decimal(*bare) || has_leading_zero(digits)))
        return "a number begins with a zero or a stop";
    const char *stop = strchr(bare, '.');
    if (stop && !is_decimal(stop[1])) return "a number has no digit after its stop";
    value->number = strtod(digits, &end);
    return *end ? "not a number" : NULL;
}

/* ---- dates ---- */

static int two(const char *digits) { return (digits[0] - '0') * 10 + (digits[1] - '0'); }

static bool is_day(const char *date) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = two(date) * 100 + two(date + 2), month = two(date + 5), day = two(date + 8);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12 || day < 1) return false;
    return day <= days[month - 1] + (month == 2 && leap);
}

static bool is_time(const char *time) { return two(time) < 24 && two(time + 3) < 60 && two(time + 6) <= 60; }

static bool is_offset(Text token) {
    char last = token.bytes[token.length - 1];
    if (last == 'Z' || last == 'z') return true;
    const char *offset = token.bytes + token.length - 5;
    return two(offset) < 24 && two(offset + 3) < 60;
}

const char *toml_date(Text token, TomlKind kind) {
    static const char wrong[] = "a date or time that there is not";
    bool has_date = kind != TOML_LOCAL_TIME, has_time = kind != TOML_LOCAL_DATE;
    uint32_t needs = (has_date ? 10u : 0u) + (has_date && has_time ? 1u : 0u) + (has_time ? 8u : 0u);
    if (token.length < needs || token.bytes[token.length - 1] == '.') return wrong;
    if (has_date && !is_day(token.bytes)) return wrong;
    if (has_time && !is_time(token.bytes + (has_date ? 11 : 0))) return wrong;
    return kind == TOML_OFFSET_DATE_TIME && !is_offset(token) ? wrong : NULL;
}
