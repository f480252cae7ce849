#include "project_wanted.h"

static Bound *bound_as(struct Wanted *self, Text name) {
    Sym id = names_intern(&self->names, name);
    while (self->bound.count < id) vec_push(self->arena, &self->bound, (Bound){0});
    return &self->bound.items[id - 1];
}

uint32_t wanted_import(struct Wanted *self, const Token *written, uint32_t chunk) {
    Text name = token_bound(written);
    self->star_count += !name.length;
    Bound *bound = bound_as(self, name.length ? name : TEXT("*"));
    uint32_t import = self->imports.count;
    vec_push(self->arena, &self->imports,
             ((Imported){.written = *written, .chunk = chunk, .next = bound->import}));
    bound->import = import;
    return import;
}

static void bind_imports(struct Wanted *self, const Source *source) {
    for (uint32_t k = 0; k < source->outline.imports.count; k++) {
        const ImportLine *line = &source->outline.imports.items[k];
        if (line->in_function && !source->whole) continue; /* it is read when that function is wanted */
        Tokens tokens = tokens_in(source->bytes, line->span);
        for (Token token; tokens_next(&tokens, &token);)
            if (token.kind == TOKEN_IMPORT)
                (void)wanted_import(self, &token, line->in_function ? 0 : line->chunk);
    }
}

static void bind_chunks(struct Wanted *self, const Outline *outline) {
    for (uint32_t k = outline->chunks.count; k-- > 1;) {
        const Chunk *chunk = &outline->chunks.items[k];
        if (chunk->outer || !chunk->name.length) continue;
        Bound *bound = bound_as(self, chunk->name);
        self->next_chunk[k] = bound->chunk;
        bound->chunk = k;
    }
}

struct Wanted *wanted_new(Loading *loading, const Source *source) {
    Arena *arena = &loading->scratch;
    struct Wanted *self = arena_new(arena, struct Wanted, 1);
    self->arena = self->names.arena = self->asked.arena = arena;
    self->next_chunk = arena_new(arena, uint32_t, source->outline.chunks.count + 1);
    self->wanted = arena_new(arena, bool, source->outline.chunks.count + 1);
    self->roots = arena_new(arena, Roots, 1);
    vec_push(arena, &self->imports, (Imported){0});
    loading_roots(loading, source, self->roots);
    bind_imports(self, source);
    if (!source->whole) bind_chunks(self, &source->outline);
    return self;
}

/* ---- names that no import can give ---- */

bool wanted_is_builtin(Text name) {
    static const char *const names[] = {
        "abs",     "aiter",      "all",          "and",        "anext",      "any",     "as",
        "ascii",   "assert",     "async",        "await",      "bin",        "bool",    "break",
        "class",   "breakpoint", "bytearray",    "bytes",      "callable",   "chr",     "classmethod",
        "compile", "complex",    "continue",     "def",        "del",        "delattr", "dict",
        "dir",     "divmod",     "elif",         "else",       "enumerate",  "eval",    "except",
        "exec",    "False",      "filter",       "finally",    "float",      "for",     "format",
        "from",    "frozenset",  "getattr",      "global",     "globals",    "hasattr", "hash",
        "help",    "hex",        "id",           "if",         "import",     "in",      "input",
        "int",     "is",         "isinstance",   "issubclass", "iter",       "lambda",  "len",
        "list",    "locals",     "map",          "max",        "memoryview", "min",     "next",
        "None",    "nonlocal",   "not",          "object",     "oct",        "open",    "or",
        "ord",     "pass",       "pow",          "print",      "property",   "raise",   "range",
        "repr",    "return",     "reversed",     "round",      "self",       "set",     "setattr",
        "slice",   "sorted",     "staticmethod", "str",        "sum",        "super",   "True",
        "try",     "tuple",      "type",         "vars",       "while",      "with",    "yield",
        "zip"};
    static const char *const ends[] = {"Error", "Exception", "Warning"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(name, names[i])) return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, text_of(ends[i]))) return true;
    return text_starts(name, TEXT("_")); /* star imports leave private names out */
}

static void find_locals(struct Wanted *self, Text bytes) {
    Tokens tokens = tokens_in(bytes, (Span){0, bytes.length});
    bool binds = false, heads = false, is_named = false;
    self->locals.arena = self->arena;
    for (Token token; tokens_next(&tokens, &token);) {
        if (token.kind != TOKEN_NAME) continue;
        uint32_t at = (uint32_t)(token.text.bytes - bytes.bytes);
        while (at > 0 && (bytes.bytes[at - 1] == ' ' || bytes.bytes[at - 1] == '\n')) at--;
        bool parameter = heads && at > 0 && tokens.depth == 1 && strchr("(,*", bytes.bytes[at - 1]);
        bool listed = !tokens.depth && tokens.at < tokens.end && bytes.bytes[tokens.at] == ',';
        if (token.is_bound || binds || parameter || listed) (void)names_intern(&self->locals, token.text);
        binds =
            (binds && !text_is(token.text, "in")) || text_is(token.text, "for") || text_is(token.text, "as");
        heads = (heads && tokens.depth) || is_named || text_is(token.text, "def");
        is_named = text_is(token.text, "def"); /* the next token is the function's name */
    }
}

bool wanted_is_local(struct Wanted *self, Text bytes, Text name) {
    if (self->star_count && !self->locals.arena) find_locals(self, bytes);
    return names_find(&self->locals, name) != 0;
}
