#include "outline.h"

typedef struct Block {
    uint32_t indent, chunk; /* of the line that opens the block */
    Span text;              /* of a def: its docstring, if the first line is one */
    bool begun;             /* a line of its body has been read */
} Block;

typedef struct Scan {
    Arena *arena;
    const char *bytes;
    uint32_t at, length;
    Outline *out;
    VEC(Block) blocks;  /* stack of open defs and classes */
    uint32_t decorated; /* offset of the first decorator + 1; 0 = no decorator is pending */
    uint32_t last_end;  /* end of the last line that is neither blank nor a comment */
} Scan;

/* ---- strings and brackets, for outlines and tokens ---- */

static uint32_t clamp(uint32_t at, uint32_t end) { return at < end ? at : end; }

/* The byte after the triple quote that ends a string whose contents begin at `at`. Kept fast, as most of a
   file's text is documentation. */
static uint32_t triple_end(const char *bytes, uint32_t at, uint32_t end, char quote) {
    uint32_t first = at;
    for (const char *found; at < end && (found = memchr(bytes + at, quote, end - at)); at++) {
        at = (uint32_t)(found - bytes);
        uint32_t slash = at;
        while (slash > first && bytes[slash - 1] == '\\') slash--;
        bool escaped = (at - slash) % 2 == 1;
        if (!escaped && at + 2 < end && bytes[at + 1] == quote && bytes[at + 2] == quote) return at + 3;
    }
    return end;
}

/* The byte after the string whose opening quote is at `at`. A single-quoted string ends with its line at the
   latest. */
static uint32_t string_end(const char *bytes, uint32_t at, uint32_t end) {
    char quote = bytes[at];
    if (at + 2 < end && bytes[at + 1] == quote && bytes[at + 2] == quote)
        return triple_end(bytes, at + 3, end, quote);
    for (at++; at < end; at++) {
        if (bytes[at] == '\\')
            at++;
        else if (bytes[at] == quote)
            return at + 1;
        else if (bytes[at] == '\n')
            return at;
    }
    return end;
}

static uint32_t comment_end(const char *bytes, uint32_t at, uint32_t end) {
    const char *newline = memchr(bytes + at, '\n', end - at);
    return newline ? (uint32_t)(newline - bytes) : end;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r'; }

static uint32_t word_end(const char *bytes, uint32_t at, uint32_t end) {
    while (at < end && text_is_word(bytes[at])) at++;
    return at;
}

static uint32_t blanks_end(const char *bytes, uint32_t at, uint32_t end) {
    while (at < end && is_blank(bytes[at])) at++;
    return at;
}

/* ---- the outline ---- */

/* Whether a byte can affect the structure of a line; most cannot. */
static bool is_special(char c) {
    static const bool special[256] = {
        ['\n'] = true, ['\\'] = true, ['#'] = true, ['"'] = true, ['\''] = true, ['('] = true, ['['] = true,
        ['{'] = true,  [')'] = true,  [']'] = true, ['}'] = true, [':'] = true,  [';'] = true};
    return special[(unsigned char)c];
}

/* Whether a line starts a new statement even though a bracket is open: an earlier one was never closed. */
static bool starts_new_statement(const char *bytes, uint32_t at, uint32_t end) {
    static const char *const words[] = {"def ", "class ", "import ", "from ", "async def ", "@"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_starts((Text){bytes + at, end - at}, text_of(words[i]))) return true;
    return false;
}

/* From a statement's first byte to the end of its last line; *colon is set to the first colon outside of
   brackets. */
static uint32_t line_end(const Scan *self, uint32_t at, uint32_t *colon) {
    const char *bytes = self->bytes;
    uint32_t depth = 0;
    *colon = 0;
    while (at < self->length) {
        char c = bytes[at];
        if (!is_special(c)) {
            at++;
            continue;
        }
        if (c == '"' || c == '\'') {
            at = string_end(bytes, at, self->length);
            continue;
        }
        if (c == '#') {
            at = comment_end(bytes, at, self->length);
            continue;
        }
        if (c == '\n' && (!depth || starts_new_statement(bytes, at + 1, self->length))) return at;
        if (c == '(' || c == '[' || c == '{') depth++;
        if ((c == ')' || c == ']' || c == '}') && depth) depth--;
        if (c == ':' && !depth && !*colon) *colon = at;
        if (c == '\\') at++;
        at++;
    }
    return self->length;
}

static Text first_word(const Scan *self, uint32_t at) {
    return (Text){self->bytes + at, word_end(self->bytes, at, self->length) - at};
}

static Text word_after(const Scan *self, Text word) {
    uint32_t at = (uint32_t)(word.bytes - self->bytes) + word.length;
    return first_word(self, blanks_end(self->bytes, at, self->length));
}

/* Closes the blocks that are indented at least as far; each ends where the last line ended. */
static void close_blocks(Scan *self, uint32_t indent) {
    while (self->blocks.count && self->blocks.items[self->blocks.count - 1].indent >= indent) {
        Chunk *chunk = &self->out->chunks.items[self->blocks.items[--self->blocks.count].chunk];
        if (self->last_end > chunk->body.end) chunk->span.end = chunk->body.end = self->last_end;
    }
}

static uint32_t block_around(const Scan *self) {
    return self->blocks.count ? self->blocks.items[self->blocks.count - 1].chunk : 0;
}

static bool in_function(const Scan *self) {
    uint32_t around = block_around(self);
    return self->out->chunks.items[around].kind == CHUNK_DEF;
}

/* The byte after the name, `=` or `:`; 0 = the name is not assigned here. */
static char assigned_by(const Scan *self, Text name) {
    uint32_t at = (uint32_t)(name.bytes - self->bytes) + name.length;
    at = blanks_end(self->bytes, at, self->length);
    if (!name.length || text_is_digit(*name.bytes) || at + 1 >= self->length) return 0;
    bool is = self->bytes[at] == ':' || (self->bytes[at] == '=' && self->bytes[at + 1] != '=');
    return is ? self->bytes[at] : 0;
}

static bool is_head(Text word) {
    static const char *const words[] = {"if",  "else", "elif",  "try",   "except", "finally",
                                        "for", "with", "while", "match", "case",   "async"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_is(word, words[i])) return true;
    return false;
}

static bool may_import(const Scan *self, Text word, Span line, uint32_t colon) {
    if (text_is(word, "import") || text_is(word, "from")) return true;
    Text rest = {self->bytes + colon, line.end - colon};
    for (uint32_t i = 0; colon && is_head(word) && i + 6 < rest.length; i++)
        if (memcmp(rest.bytes + i, "import", 6) == 0) return true;
    return false;
}

/* Whether a line is a lone string. */
static bool is_text(const Scan *self, Text word, Span line) {
    uint32_t at = line.start + (word.length < 3 ? word.length : 0);
    if (at >= line.end || (self->bytes[at] != '"' && self->bytes[at] != '\'')) return false;
    return blanks_end(self->bytes, string_end(self->bytes, at, line.end), line.end) == line.end;
}

static Chunk chunk_of(const Scan *self, Text word, Span line, uint32_t colon) {
    Chunk chunk = {
        .kind = CHUNK_OTHER, .outer = block_around(self), .span = line, .body = {line.end, line.end}};
    Text head = text_is(word, "async") ? word_after(self, word) : word;
    if (text_is(head, "def") || text_is(head, "class")) {
        chunk.kind = text_is(head, "def") ? CHUNK_DEF : CHUNK_CLASS;
        chunk.name = word_after(self, head);
        if (colon) chunk.body.start = colon + 1;
        if (self->decorated) chunk.span.start = self->decorated - 1;
    } else if (is_text(self, word, line)) {
        chunk.kind = CHUNK_TEXT;
    } else if (!is_head(word) && assigned_by(self, word)) {
        chunk.kind = CHUNK_VARIABLE;
        chunk.is_typed = assigned_by(self, word) == ':';
        chunk.name = word;
    }
    return chunk;
}

static void add_to_function(Scan *self, Text word, Span line) {
    Block *block = &self->blocks.items[self->blocks.count - 1];
    if (block->begun) self->out->chunks.items[block->chunk].text = block->text;
    if (!block->begun && is_text(self, word, line)) block->text = line;
    block->begun = true;
}

static void add_chunk(Scan *self, Chunk chunk, uint32_t indent) {
    uint32_t id = self->out->chunks.count;
    vec_push(self->arena, &self->out->chunks, chunk);
    if (chunk.kind == CHUNK_DEF || chunk.kind == CHUNK_CLASS)
        vec_push(self->arena, &self->blocks, ((Block){.indent = indent, .chunk = id}));
}

static void add_line(Scan *self, Span line, uint32_t indent, uint32_t colon) {
    Text word = first_word(self, line.start);
    close_blocks(self, indent);
    self->last_end = line.end;
    bool inside = in_function(self), imports = may_import(self, word, line, colon);
    if (imports) {
        ImportLine import = {line, inside ? block_around(self) : self->out->chunks.count, inside};
        vec_push(self->arena, &self->out->imports, import);
    }
    if (inside) {
        add_to_function(self, word, line);
    } else if (self->bytes[line.start] == '@') {
        if (!self->decorated) self->decorated = line.start + 1;
    } else {
        Chunk chunk = chunk_of(self, word, line, colon);
        bool alone = imports && !is_head(word) && !memchr(self->bytes + line.start, ';', line.end - line.start);
        if (alone) chunk.kind = CHUNK_IMPORT;
        self->decorated = 0;
        add_chunk(self, chunk, indent);
    }
}

void outline_read(Arena *arena, Text bytes, Outline *out) {
    Scan self = {.arena = arena, .bytes = bytes.bytes, .length = bytes.length, .out = out};
    *out = (Outline){0};
    vec_push(arena, &out->chunks, (Chunk){0});
    if (text_starts(bytes, TEXT("\xEF\xBB\xBF"))) self.at = 3;
    while (self.at < self.length) {
        uint32_t indent = 0, colon, start = self.at;
        for (; start < self.length && is_blank(bytes.bytes[start]); start++)
            indent += bytes.bytes[start] == '\t' ? 8 - indent % 8 : 1;
        if (start < self.length && bytes.bytes[start] == '#')
            start = comment_end(bytes.bytes, start, self.length);
        if (start >= self.length || bytes.bytes[start] == '\n') {
            self.at = start + 1;
            continue;
        }
        uint32_t end = line_end(&self, start, &colon);
        self.at = end + 1;
        if (bytes.bytes[end - 1] == '\r') end--;
        if (end > start) add_line(&self, (Span){start, end}, indent, colon);
    }
    close_blocks(&self, 0);
}

/* ---- tokens ---- */

Text token_bound(const Token *import) {
    if (import->alias.length) return import->alias;
    if (import->name.length) return text_is(import->name, "*") ? (Text){0} : import->name;
    uint32_t end = 0;
    while (end < import->module.length && import->module.bytes[end] != '.') end++;
    return text_slice(import->module, 0, end);
}

Tokens tokens_in(Text bytes, Span span) {
    return (Tokens){.bytes = bytes, .at = span.start, .end = clamp(span.end, bytes.length), .starts = true};
}

/* The dotted name at the current place, without blanks in it. */
static Text dotted_at(const Tokens *self, uint32_t at) {
    const char *bytes = self->bytes.bytes;
    uint32_t start = at;
    at = word_end(bytes, at, self->end);
    while (at + 1 < self->end && bytes[at] == '.' && text_is_word(bytes[at + 1]))
        at = word_end(bytes, at + 1, self->end);
    return text_slice(self->bytes, start, at);
}

/* Skips blanks, comments, and the brackets, commas and continued lines of an import. False: the import ends
   here. */
static bool skip_in_import(Tokens *self) {
    const char *bytes = self->bytes.bytes;
    for (; self->at < self->end; self->at++) {
        char c = bytes[self->at];
        if (c == '#') {
            self->at = comment_end(bytes, self->at, self->end) - 1;
        } else if (c == '\\') {
            self->at++;
        } else if (c == '(' || c == ')') {
            self->depth = c == '(';
        } else if (c == '\n' ? !self->depth : !is_blank(c) && c != ',') {
            return text_is_word(c) || c == '*';
        }
    }
    return false;
}

/* The name after `as`, if that comes next. */
static Text alias_at(Tokens *self) {
    uint32_t at = self->at, depth = self->depth;
    if (!skip_in_import(self) || !text_equal(dotted_at(self, self->at), TEXT("as"))) {
        self->at = at;
        self->depth = depth;
        return (Text){0};
    }
    self->at += 2;
    if (!skip_in_import(self)) return (Text){0};
    Text alias = dotted_at(self, self->at);
    self->at += alias.length;
    return alias;
}

static bool next_import(Tokens *self, Token *out) {
    if (!skip_in_import(self)) {
        self->in_import = false;
        self->depth = 0;
        return false;
    }
    Text name = self->bytes.bytes[self->at] == '*' ? text_slice(self->bytes, self->at, self->at + 1)
                                                   : dotted_at(self, self->at);
    self->at += name.length;
    *out = self->import;
    out->kind = TOKEN_IMPORT;
    if (self->is_from)
        out->name = name;
    else
        out->module = name;
    out->alias = alias_at(self);
    return true;
}

/* Reads `from ..a.b import`. False: it is no import. */
static bool open_from(Tokens *self) {
    const char *bytes = self->bytes.bytes;
    uint32_t at = self->at, dots = 0;
    for (; at < self->end && (is_blank(bytes[at]) || bytes[at] == '.'); at++) dots += bytes[at] == '.';
    Tokens rest = *self;
    rest.at = at;
    Text module = dotted_at(&rest, at);
    if (text_is(module, "import")) module = (Text){bytes + at, 0};
    at = blanks_end(bytes, at + module.length, self->end);
    if (at + 1 < self->end && bytes[at] == '\\')
        at = blanks_end(bytes, at + 1 + (bytes[at + 1] == '\n'), self->end);
    if (!text_equal(text_slice(self->bytes, at, word_end(bytes, at, self->end)), TEXT("import"))) return false;
    self->import = (Token){.dots = dots, .module = module};
    self->at = at + 6;
    return true;
}

static bool open_import(Tokens *self, Text word) {
    bool is_from = text_is(word, "from");
    if (!is_from && !text_is(word, "import")) return false;
    self->import = (Token){0};
    self->depth = 0;
    self->is_from = is_from;
    self->in_import = !is_from || open_from(self);
    return self->in_import;
}

static bool next_name(Tokens *self, Token *out, bool started) {
    const char *bytes = self->bytes.bytes;
    uint32_t start = self->at;
    Text whole = dotted_at(self, start);
    self->at += whole.length;
    if (text_is_digit(*whole.bytes)) return false;
    bool is_member = start > 0 && bytes[start - 1] == '.';
    if (started && !is_member && open_import(self, whole)) return next_import(self, out);
    uint32_t first = word_end(bytes, start, self->at);
    if (self->at < self->end && (bytes[self->at] == '"' || bytes[self->at] == '\'') && whole.length < 3)
        return false; /* a string prefix, as in r"..." */
    uint32_t after = blanks_end(bytes, self->at, self->end);
    bool two = after + 1 < self->end, walrus = two && bytes[after] == ':' && bytes[after + 1] == '=';
    bool assigned = two && bytes[after] == '=' && bytes[after + 1] != '=';
    *out = (Token){.kind = TOKEN_NAME,
                   .text = text_slice(self->bytes, start, first),
                   .is_member = is_member,
                   .is_bound = (assigned || walrus) && first == self->at};
    if (first < self->at) out->rest = text_slice(self->bytes, first + 1, self->at);
    return true;
}

static bool is_format(const Tokens *self, uint32_t quote) {
    for (uint32_t at = quote; at > 0 && quote - at < 2 && text_is_word(self->bytes.bytes[at - 1]); at--)
        if (self->bytes.bytes[at - 1] == 'f' || self->bytes.bytes[at - 1] == 'F') return true;
    return false;
}

/* Moves to the next {} of an f-string, or behind the string where there is none. */
static void next_part(Tokens *self) {
    const char *bytes = self->bytes.bytes;
    for (; self->at < self->format_end; self->at++) {
        if (bytes[self->at] != '{') continue;
        if (self->at + 1 < self->format_end && bytes[self->at + 1] == '{') {
            self->at++;
            continue;
        }
        self->at++;
        self->format_depth = 1;
        return;
    }
    self->at = self->format_end;
    self->format_end = 0;
}

static bool next_string(Tokens *self, Token *out) {
    uint32_t start = self->at, limit = self->format_end ? self->format_end : self->end;
    uint32_t end = string_end(self->bytes.bytes, start, limit);
    if (is_format(self, start) && !self->format_end) {
        self->format_end = end;
        self->format_depth = 0;
        self->at = start + 1;
        next_part(self);
        return false;
    }
    self->at = end;
    *out = (Token){.kind = TOKEN_STRING,
                   .text = text_slice(self->bytes, start + 1, end > start + 1 ? end - 1 : end)};
    return true;
}

static void step(Tokens *self, char c) {
    self->at++;
    if (c == '#') self->at = comment_end(self->bytes.bytes, self->at, self->end);
    if (c == '\\') self->at++;
    bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
    if (self->format_end) {
        self->format_depth += c == '{';
        if (c == '}' && --self->format_depth == 0) next_part(self);
    } else {
        self->depth += opens;
        self->depth -= closes && self->depth;
    }
    if (!is_blank(c)) self->starts = (c == '\n' || c == ';' || c == ':') && !self->depth;
}

bool tokens_next(Tokens *self, Token *out) {
    while (self->at < self->end) {
        if (self->format_end && self->at >= self->format_end) {
            self->at = self->format_end;
            self->format_end = 0;
        }
        if (self->in_import) {
            if (next_import(self, out)) return true;
            continue;
        }
        char c = self->bytes.bytes[self->at];
        bool started = self->starts;
        if (text_is_word(c)) {
            self->starts = false;
            if (next_name(self, out, started)) return true;
        } else if (c == '"' || c == '\'') {
            self->starts = false;
            if (next_string(self, out)) return true;
        } else {
            step(self, c);
        }
    }
    return false;
}
