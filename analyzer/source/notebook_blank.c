/* Blanks out what IPython accepts and Python does not: magics, shell lines, help. Follows IPython's own rules
   (IPython/core/inputtransformer2.py) where they matter: only at the start of a statement, never inside
   brackets or strings. */
#include "notebook.h"

typedef struct Scan {
    char *bytes;
    uint32_t at, end;
    uint32_t depth; /* of brackets */
    char quote;     /* of the triple-quoted string that is open; 0 = none */
    bool joined;    /* the previous line ended in a backslash */
} Scan;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static uint32_t line_end(const Scan *self, uint32_t at) {
    while (at < self->end && self->bytes[at] != '\n') at++;
    return at;
}

static uint32_t blanks_end(const Scan *self, uint32_t at) {
    while (at < self->end && is_blank(self->bytes[at])) at++;
    return at;
}

static uint32_t word_end(const Scan *self, uint32_t at) {
    while (at < self->end && is_word(self->bytes[at])) at++;
    return at;
}

static bool is_one_of(const char *word, uint32_t length, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0) return true;
    return false;
}

/* ---- Python ---- */

static bool is_triple(const Scan *self, uint32_t at) {
    char quote = self->bytes[at];
    return at + 2 < self->end && self->bytes[at + 1] == quote && self->bytes[at + 2] == quote;
}

/* The end of a string on one line; a backslash before the line's end continues it. */
static uint32_t string_end(const Scan *self, uint32_t at) {
    char quote = self->bytes[at++];
    for (; at < self->end && self->bytes[at] != quote && self->bytes[at] != '\n'; at++)
        if (self->bytes[at] == '\\' && at + 1 < self->end) at++;
    return at < self->end && self->bytes[at] == quote ? at + 1 : at;
}

static void scan_triple(Scan *self) {
    for (; self->at < self->end; self->at++) {
        if (self->bytes[self->at] == '\\') {
            self->at++;
        } else if (self->bytes[self->at] == self->quote && is_triple(self, self->at)) {
            self->at += 3;
            self->quote = 0;
            return;
        }
    }
    self->at = self->end; /* the last byte may have been a backslash */
}

static void scan_token(Scan *self) {
    char c = self->bytes[self->at];
    self->joined = c == '\\';
    if ((c == '"' || c == '\'') && is_triple(self, self->at)) {
        self->quote = c;
        self->at += 3;
        return;
    }
    if (c == '"' || c == '\'') {
        self->at = string_end(self, self->at);
        return;
    }
    if (strchr("([{", c) && c) self->depth++;
    if (strchr(")]}", c) && c && self->depth) self->depth--;
    self->at = c == '#' ? line_end(self, self->at) : self->at + 1;
}

/* Scans the rest of a line, and the further lines of a string that stays open. */
static void scan_line(Scan *self) {
    self->joined = false;
    while (self->at < self->end && (self->quote || self->bytes[self->at] != '\n')) {
        if (self->quote)
            scan_triple(self);
        else if (is_blank(self->bytes[self->at]) && self->joined && self->bytes[self->at] == '\r')
            self->at++; /* a backslash before CR LF */
        else
            scan_token(self);
    }
    self->at += self->at < self->end;
}

/* ---- IPython ---- */

/* Replaces everything from `at` to the line's end, and the lines joined to it by backslashes, by `0`. */
static void blank_statement(Scan *self, uint32_t at) {
    bool goes_on = true;
    for (uint32_t from = at; goes_on; from = self->at) {
        uint32_t end = line_end(self, from), last = end;
        while (last > from && is_blank(self->bytes[last - 1])) last--;
        goes_on = last > from && self->bytes[last - 1] == '\\' && end < self->end;
        memset(self->bytes + from, ' ', end - from);
        if (from == at && end > from) self->bytes[from] = '0';
        self->at = end + (end < self->end);
    }
}

static uint32_t options_end(const Scan *self, uint32_t at) {
    for (at = blanks_end(self, at); at < self->end && self->bytes[at] == '-'; at = blanks_end(self, at)) {
        while (at < self->end && !is_blank(self->bytes[at]) && self->bytes[at] != '\n') at++;
        uint32_t value = blanks_end(self, at), digits = value;
        while (digits < self->end && self->bytes[digits] >= '0' && self->bytes[digits] <= '9') digits++;
        if (digits > value && digits < self->end && is_blank(self->bytes[digits])) at = digits; /* -n 10 */
    }
    return at;
}

/* Whether the magic at `at` runs the rest of its line as Python: %time and the like. */
static bool runs_rest_as_python(Scan *self, uint32_t at) {
    static const char *const magics[] = {"time", "timeit", "prun", "memit", NULL};
    uint32_t end = word_end(self, at + 1);
    if (!is_one_of(self->bytes + at + 1, end - at - 1, magics)) return false;
    uint32_t rest = options_end(self, end);
    if (rest - at < 3 || rest >= line_end(self, at)) return false;
    memset(self->bytes + at, ' ', rest - at);
    self->bytes[at] = '0';
    self->bytes[at + 1] = ';';
    return true;
}

static bool is_number(const char *bytes, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (bytes[i] < '0' || bytes[i] > '9') return false;
    return length == 1 || (length && bytes[0] != '0');
}

/* The end of `NAME=3` at `at`, before `end`; 0 = there is none. `split`: a blank may take the place of `=`. */
static uint32_t assignment_end(const Scan *self, uint32_t at, uint32_t end, bool split) {
    uint32_t name = word_end(self, at), value = name, last;
    if (name == at || name >= end) return 0;
    if (self->bytes[name] == '=')
        value = name + 1;
    else if (split)
        value = blanks_end(self, name);
    for (last = value; last < end && !is_blank(self->bytes[last]);) last++;
    return value > name && last <= end ? last : 0;
}

/* `%env NAME=1`, `%set_env NAME 1` and `!NAME=1 python train.py` set environment variables. They become
   `env(NAME=1)`, which rule pages know. Of several assignments those with a number are kept; left-over bytes
   become blanks. */
static bool sets_environment(Scan *self, uint32_t at) {
    static const char *const magics[] = {"env", "set_env", NULL};
    uint32_t end = line_end(self, at), to = at, word = at + 1;
    bool shell = self->bytes[at] == '!';
    if (!shell) {
        word = word_end(self, at + 1);
        if (!is_one_of(self->bytes + at + 1, word - at - 1, magics)) return false;
    }
    char made[128] = "env(";
    uint32_t used = 4;
    for (word = blanks_end(self, word); word < end; word = blanks_end(self, to)) {
        uint32_t name = word_end(self, word), value;
        to = assignment_end(self, word, end, !shell);
        if (!to) break;
        for (value = to;
             value > name + 1 && !is_blank(self->bytes[value - 1]) && self->bytes[value - 1] != '=';)
            value--;
        uint32_t more = name - word + 1 + to - value;
        if (!is_number(self->bytes + value, to - value) || used + more + 2 > sizeof made) continue;
        if (used > 4) made[used++] = ',';
        memcpy(made + used, self->bytes + word, name - word);
        used += name - word;
        made[used++] = '=';
        memcpy(made + used, self->bytes + value, to - value);
        used += to - value;
    }
    if (used == 4 || used + 1 > end - at || self->bytes[end - 1] == '\\') return false;
    made[used++] = ')';
    memset(self->bytes + at, ' ', end - at);
    memcpy(self->bytes + at, made, used);
    return true;
}

/* Where the value of `files = !ls` or `a, b = %magic` begins; 0 = the line is no such assignment. */
static uint32_t assigned_magic(const Scan *self, uint32_t at) {
    uint32_t end = line_end(self, at);
    while (at < end && (is_word(self->bytes[at]) || is_blank(self->bytes[at]) ||
                        (self->bytes[at] && strchr(".,[]*", self->bytes[at]))))
        at++;
    if (at >= end || self->bytes[at] != '=') return 0;
    at = blanks_end(self, at + 1);
    return at < end && (self->bytes[at] == '!' || self->bytes[at] == '%') ? at : 0;
}

/* `name?`, `%magic??` */
static bool is_help(const Scan *self, uint32_t at) {
    uint32_t end = line_end(self, at), from = at;
    while (end > at && is_blank(self->bytes[end - 1])) end--;
    if (end == at || self->bytes[end - 1] != '?') return false;
    while (end > at && self->bytes[end - 1] == '?') end--;
    while (at < end && (is_word(self->bytes[at]) || strchr("%.*", self->bytes[at]))) at++;
    return at == end && end > from;
}

static void read_statement(Scan *self) {
    uint32_t at = blanks_end(self, self->at), value;
    char c = at < self->end ? self->bytes[at] : '\n';
    if ((c == '%' && runs_rest_as_python(self, at)) || ((c == '%' || c == '!') && sets_environment(self, at)))
        scan_line(self);
    else if (c == '%' || c == '!' || c == '?' || is_help(self, at))
        blank_statement(self, at);
    else if ((value = assigned_magic(self, at)))
        blank_statement(self, value);
    else
        scan_line(self);
}

/* `%%name` on the first line of a cell. False: with most names the rest of the cell is not Python that runs
   here. */
static bool open_cell(Scan *self) {
    static const char *const python[] = {
#define CELL_MAGIC(name) #name,
#include "cell_magics.def"
        NULL};
    uint32_t at = 0;
    while (at < self->end && (is_blank(self->bytes[at]) || self->bytes[at] == '\n')) at++;
    if (at + 2 > self->end || memcmp(self->bytes + at, "%%", 2) != 0) return true;
    uint32_t end = word_end(self, at + 2);
    if (!is_one_of(self->bytes + at + 2, end - at - 2, python)) return false;
    blank_statement(self, at);
    return true;
}

bool notebook_blank(char *cell, uint32_t length) {
    Scan self = {.bytes = cell, .end = length};
    if (!open_cell(&self)) return false;
    while (self.at < self.end) {
        if (self.depth || self.quote || self.joined)
            scan_line(&self);
        else
            read_statement(&self);
    }
    return !self.depth && !self.quote;
}
