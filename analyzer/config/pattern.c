#include "pattern.h"

enum { LONGEST = 1000 }; /* longer patterns match nothing */

/* The set of pattern positions that the input so far can have reached, a byte each: simulating all of them at
   once bounds the time for any pattern. */
typedef struct Places {
    unsigned char at[LONGEST + 1];
} Places;

typedef struct Matcher {
    Text pattern;
    bool across;
} Matcher;

static bool is_part_start(Text pattern, uint32_t at) { return at == 0 || pattern.bytes[at - 1] == '/'; }

/* A component that is `**`. */
static bool is_double_star(Text pattern, uint32_t at) {
    if (!is_part_start(pattern, at) || !text_starts(text_slice(pattern, at, pattern.length), TEXT("**")))
        return false;
    return at + 2 == pattern.length || pattern.bytes[at + 2] == '/';
}

/* The position after the set that opens at `at`; 0 = it never closes, so the bracket is literal. */
static uint32_t set_end(Text pattern, uint32_t at) {
    uint32_t end = at + 1;
    if (end < pattern.length && (pattern.bytes[end] == '!' || pattern.bytes[end] == '^')) end++;
    if (end < pattern.length && pattern.bytes[end] == ']') end++;
    while (end < pattern.length && pattern.bytes[end] != ']') end++;
    return end < pattern.length ? end + 1 : 0;
}

static bool in_set(Text pattern, uint32_t at, uint32_t end, char c) {
    bool inverted = pattern.bytes[at + 1] == '!' || pattern.bytes[at + 1] == '^', found = false;
    for (uint32_t i = at + 1 + inverted; i + 1 < end; i++) {
        unsigned char low = (unsigned char)pattern.bytes[i], high = low;
        if (i + 3 < end && pattern.bytes[i + 1] == '-') {
            high = (unsigned char)pattern.bytes[i + 2];
            i += 2;
        }
        found |= (unsigned char)c >= low && (unsigned char)c <= high;
    }
    return found != inverted;
}

/* Stars may match nothing. Positions are visited in order, so this passes several in a row. */
static void skip_stars(const Matcher *self, Places *places) {
    Text pattern = self->pattern;
    for (uint32_t at = 0; at < pattern.length; at++) {
        if (places->at[at] != 1 || pattern.bytes[at] != '*') continue;
        uint32_t next = at + (is_double_star(pattern, at) ? (at + 2 < pattern.length ? 3u : 2u) : 1u);
        /* a trailing `**` after `a/` matches only what is below a */
        if (is_double_star(pattern, at) && next == pattern.length && at > 0) continue;
        places->at[next] = 1;
    }
}

enum { INSIDE_PART = 2 }; /* state of a position at `**`: inside a component that it matches */

static void step_parts(const Matcher *self, uint32_t at, char c, Places *next) {
    if (at + 2 == self->pattern.length) {
        next->at[at] = INSIDE_PART;
        next->at[at + 2] = 1;
    } else if (next->at[at] != 1) {
        next->at[at] = c == '/' ? 1 : INSIDE_PART;
    }
}

static void step_one(const Matcher *self, uint32_t at, char c, Places *next) {
    Text pattern = self->pattern;
    char wanted = pattern.bytes[at];
    bool may = c != '/' || self->across;
    uint32_t end = wanted == '[' ? set_end(pattern, at) : 0;
    if (wanted == '*') {
        if (may) next->at[at] = 1;
    } else if (wanted == '?') {
        if (may) next->at[at + 1] = 1;
    } else if (end) {
        if (c != '/' && in_set(pattern, at, end, c)) next->at[end] = 1;
    } else {
        bool escaped = wanted == '\\' && at + 1 < pattern.length;
        if (pattern.bytes[at + escaped] == c) next->at[at + 1 + escaped] = 1;
    }
}

static bool is_plain(Text pattern) {
    for (uint32_t i = 0; i < pattern.length; i++)
        if (strchr("*?[\\", pattern.bytes[i])) return false;
    return true;
}

/* Advances every position by a character. False: none is left, so nothing can match. */
static bool step(const Matcher *self, const Places *now, char c, Places *next) {
    Text pattern = self->pattern;
    bool any = false;
    memset(next->at, 0, pattern.length + 1u);
    for (uint32_t at = 0; at < pattern.length; at++) {
        if (!now->at[at]) continue;
        if (is_double_star(pattern, at))
            step_parts(self, at, c, next);
        else
            step_one(self, at, c, next);
        any = true;
    }
    if (any) skip_stars(self, next);
    return any;
}

bool pattern_match(Text pattern, Text path, bool across) {
    Matcher self = {pattern, across};
    Places places[2];
    if (is_plain(pattern)) return text_equal(pattern, path);
    if (pattern.length > LONGEST) return false;
    memset(places[0].at, 0, pattern.length + 1u);
    places[0].at[0] = 1;
    skip_stars(&self, &places[0]);
    for (uint32_t i = 0; i < path.length; i++)
        if (!step(&self, &places[i % 2], path.bytes[i], &places[(i + 1) % 2])) return false;
    return places[path.length % 2].at[pattern.length] == 1;
}
