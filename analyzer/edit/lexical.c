#include "lexical.h"
#include "search.h"

enum { DEEPEST_BRACKETS = 200, DEEPEST_BLOCKS = 100, TAB = 8 }; /* CPython's own limits */

typedef struct Columns {
    uint32_t usual,
        strict; /* a tab advances to a multiple of eight, or counts as one column: both must agree */
} Columns;

typedef struct Lexer {
    Arena *arena;
    Text bytes;
    Lexemes *out;
    uint32_t at;
    char brackets[DEEPEST_BRACKETS];
    uint32_t depth;
    Columns blocks[DEEPEST_BLOCKS];
    uint32_t block; /* the innermost open block */
} Lexer;

static char peek(const Lexer *self, uint32_t ahead) {
    return ahead < self->bytes.length - self->at ? self->bytes.bytes[self->at + ahead] : '\0';
}

static bool at_end(const Lexer *self) { return self->at == self->bytes.length; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static uint32_t line_end_length(const Lexer *self) {
    if (peek(self, 0) == '\n') return 1;
    return peek(self, 0) == '\r' && peek(self, 1) == '\n' ? 2 : 0;
}

static void wrong(Lexer *self, const char *why) {
    if (self->out->wrong) return;
    self->out->wrong = why;
    self->out->wrong_at = self->at;
}

static void put(Lexer *self, LexKind kind, uint32_t start) {
    vec_push(self->arena, &self->out->items, ((Lexeme){start, self->at, (uint8_t)kind}));
}

/* ---- lines ---- */

static void take_line_end(Lexer *self, LexKind kind) {
    uint32_t start = self->at;
    self->at += line_end_length(self);
    put(self, kind, start);
}

static bool is_deeper(Columns a, Columns b) { return a.usual > b.usual; }

/* A line must be indented deeper than the current block in both ways of counting, or equal to an enclosing
   block in both. Whether a colon precedes a deeper line is left to the parser. */
static void enter_line(Lexer *self, Columns columns) {
    bool leaves = is_deeper(self->blocks[self->block], columns);
    while (self->block > 0 && is_deeper(self->blocks[self->block], columns)) self->block--;
    Columns around = self->blocks[self->block];
    bool deeper = is_deeper(columns, around);
    if (leaves && deeper) wrong(self, "the indentation fits no block");
    if (deeper ? columns.strict <= around.strict : columns.strict != around.strict)
        wrong(self, "tabs and blanks are mixed");
    if (deeper && self->block + 1 == DEEPEST_BLOCKS) wrong(self, "too many blocks");
    if (deeper && self->block + 1 < DEEPEST_BLOCKS) self->blocks[++self->block] = columns;
}

static Columns read_indent(Lexer *self) {
    Columns columns = {0};
    for (; is_blank(peek(self, 0)); self->at++) {
        char c = peek(self, 0);
        columns.usual = c == '\f' ? 0 : c == '\t' ? (columns.usual / TAB + 1) * TAB : columns.usual + 1;
        columns.strict = c == '\f' ? 0 : columns.strict + 1;
    }
    return columns;
}

static void take_comment(Lexer *self) {
    uint32_t start = self->at;
    while (!at_end(self) && !line_end_length(self)) self->at++;
    put(self, LEX_COMMENT, start);
}

static void begin_line(Lexer *self) {
    uint32_t start = self->at;
    Columns columns = read_indent(self);
    if (peek(self, 0) == '#') take_comment(self);
    if (line_end_length(self)) {
        take_line_end(self, LEX_BREAK);
        return;
    }
    if (at_end(self)) return;
    uint32_t text = self->at;
    self->at = start;
    enter_line(self, columns);
    self->at = text;
    put(self, LEX_INDENT, start);
}

/* ---- strings ---- */

static bool is_prefix(Text word) {
    static const char *const prefixes[] = {"r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"};
    char plain[3] = "";
    if (word.length > 2) return false;
    for (uint32_t i = 0; i < word.length; i++) plain[i] = (char)(word.bytes[i] | 0x20);
    return text_is_any(text_of(plain), prefixes, sizeof prefixes / sizeof *prefixes);
}

static void take_string(Lexer *self, uint32_t start) {
    char quote = peek(self, 0);
    uint32_t quotes = peek(self, 1) == quote && peek(self, 2) == quote ? 3 : 1;
    self->at += quotes;
    while (!at_end(self)) {
        bool closes =
            peek(self, 0) == quote && (quotes == 1 || (peek(self, 1) == quote && peek(self, 2) == quote));
        if (closes) {
            self->at += quotes;
            put(self, LEX_STRING, start);
            return;
        }
        if (quotes == 1 && line_end_length(self)) break;
        if (peek(self, 0) == '\\') self->at++;
        uint32_t end = line_end_length(self);
        if (!at_end(self)) self->at += end ? end : 1;
    }
    wrong(self, "a string does not end");
}

static void take_word(Lexer *self) {
    uint32_t start = self->at;
    while (!at_end(self) && text_is_word(peek(self, 0))) self->at++;
    Text word = text_slice(self->bytes, start, self->at);
    if ((peek(self, 0) == '"' || peek(self, 0) == '\'') && is_prefix(word))
        take_string(self, start);
    else
        put(self, LEX_WORD, start);
}

/* ---- marks ---- */

static void take_mark(Lexer *self) {
    static const char open[] = "([{", close[] = ")]}";
    char c = peek(self, 0);
    const char *opens = c ? strchr(open, c) : NULL, *closes = c ? strchr(close, c) : NULL;
    bool known = c && strchr("()[]{}:,;.+-*/%@&|^~<>=!", c);
    if (!known || (c == '!' && peek(self, 1) != '=')) {
        wrong(self, "no character of Python");
        return;
    }
    if (opens && self->depth == DEEPEST_BRACKETS) wrong(self, "too many brackets");
    if (opens && self->depth < DEEPEST_BRACKETS) self->brackets[self->depth++] = close[opens - open];
    if (closes && (self->depth == 0 || self->brackets[--self->depth] != c))
        wrong(self, "brackets do not match");
    self->at++;
    put(self, LEX_MARK, self->at - 1);
}

/* After a backslash only a line end may follow; the line continues. */
static void take_continuation(Lexer *self) {
    self->at++;
    uint32_t end = line_end_length(self);
    if (!end || self->at + end == self->bytes.length) wrong(self, "something stands behind a backslash");
    self->at += end;
}

static void take(Lexer *self) {
    char c = peek(self, 0);
    if (is_blank(c))
        self->at++;
    else if (c == '#')
        take_comment(self);
    else if (c == '\\')
        take_continuation(self);
    else if (c == '"' || c == '\'')
        take_string(self, self->at);
    else if (text_is_word(c))
        take_word(self);
    else
        take_mark(self);
}

/* Reads one logical line, or a blank one. */
static void read_line(Lexer *self) {
    uint32_t before = self->out->items.count;
    begin_line(self);
    bool has_code = self->out->items.count > before &&
                    self->out->items.items[self->out->items.count - 1].kind == LEX_INDENT;
    while (has_code && !at_end(self) && !self->out->wrong) {
        if (!line_end_length(self)) {
            take(self);
            continue;
        }
        take_line_end(self, self->depth ? LEX_BREAK : LEX_LINE);
        if (!self->depth) return;
    }
    if (has_code && self->depth) wrong(self, "a bracket is not closed");
    if (has_code && !self->out->wrong) put(self, LEX_LINE, self->at);
}

void lexical_read(Arena *arena, Text bytes, Lexemes *out) {
    Lexer self = {.arena = arena, .bytes = bytes, .out = out};
    *out = (Lexemes){0};
    if (text_starts(bytes, TEXT("\xEF\xBB\xBF"))) self.at = 3;
    while (!at_end(&self) && !out->wrong) read_line(&self);
}

/* ---- queries ---- */

bool lexical_ends_line(const Lexemes *lexemes, uint32_t at) {
    const Lexeme *items = lexemes->items.items;
    uint32_t count = lexemes->items.count;
    for (uint32_t i = FIRST_FROM(items, count, start, at); i < count && items[i].start == at; i++)
        if (items[i].kind >= LEX_LINE) return true;
    return false;
}

static const Lexeme *next_code(const Lexemes *lexemes, uint32_t *at) {
    while (*at < lexemes->items.count) {
        const Lexeme *lexeme = &lexemes->items.items[(*at)++];
        if (lexeme->kind != LEX_COMMENT && lexeme->kind != LEX_BREAK) return lexeme;
    }
    return NULL;
}

bool lexical_same_code(Text a, const Lexemes *of_a, Text b, const Lexemes *of_b) {
    uint32_t in_a = 0, in_b = 0;
    for (;;) {
        const Lexeme *left = next_code(of_a, &in_a), *right = next_code(of_b, &in_b);
        if (!left || !right) return left == right;
        if (left->kind != right->kind) return false;
        if (!text_equal(text_slice(a, left->start, left->end), text_slice(b, right->start, right->end)))
            return false;
    }
}
