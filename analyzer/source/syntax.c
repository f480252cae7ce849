#include "syntax.h"
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

enum { SYMBOL_LIMIT = 512, ERROR_SYMBOL = UINT16_MAX };

struct SyntaxParser {
    TSParser *parser;
    uint8_t kind_of[SYMBOL_LIMIT]; /* NodeKind of a symbol */
    uint8_t is_named[SYMBOL_LIMIT];
};

typedef struct KindName {
    const char *name;
    uint8_t named, keeps;
} KindName;

static const KindName kind_names[NODE_KIND_COUNT] = {
#define NODE(kind, name, named, keeps) [NODE_##kind] = {name, named, keeps},
#include "syntax.def"
#undef NODE
};

static _Noreturn void die(const char *what) {
    fprintf(stderr, "syncl: %s\n", what);
    exit(2);
}

static void *taken(void *memory, size_t bytes) {
    if (!memory && bytes) out_of_memory(bytes);
    return memory;
}

static void *take(size_t bytes) { return taken(malloc(bytes), bytes); }
static void *take_cleared(size_t count, size_t bytes) { return taken(calloc(count, bytes), count * bytes); }
static void *take_again(void *old, size_t bytes) { return taken(realloc(old, bytes), bytes); }

void syntax_memory(void) { ts_set_allocator(take, take_cleared, take_again, free); }

/* The grammar has two symbols of one name here and there (two kinds of lambda), so every symbol is looked at. */
static NodeKind kind_of_symbol(const TSLanguage *language, TSSymbol symbol) {
    const char *name = ts_language_symbol_name(language, symbol);
    bool named = ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular;
    for (NodeKind kind = NODE_ERROR + 1; kind < NODE_KIND_COUNT; kind++)
        if (kind_names[kind].named == named && strcmp(kind_names[kind].name, name) == 0) return kind;
    return NODE_OTHER;
}

SyntaxParser *syntax_open(void) {
    const TSLanguage *language = tree_sitter_python();
    SyntaxParser *self = calloc(1, sizeof *self);
    if (!self) out_of_memory(sizeof *self);
    self->parser = ts_parser_new();
    uint32_t count = ts_language_symbol_count(language);
    if (!ts_parser_set_language(self->parser, language) || count > SYMBOL_LIMIT)
        die("this build's Python grammar does not fit its tree-sitter");
    for (uint32_t symbol = 0; symbol < count; symbol++) {
        self->kind_of[symbol] = (uint8_t)kind_of_symbol(language, (TSSymbol)symbol);
        self->is_named[symbol] = ts_language_symbol_type(language, (TSSymbol)symbol) == TSSymbolTypeRegular;
    }
    return self;
}

void syntax_close(SyntaxParser *self) {
    ts_parser_delete(self->parser);
    free(self);
}

/* ---- parsing within a budget ---- */

static const char *read_rest(void *payload, uint32_t offset, TSPoint position, uint32_t *count) {
    (void)position;
    const Text *bytes = payload;
    *count = offset < bytes->length ? bytes->length - offset : 0;
    return *count ? bytes->bytes + offset : "";
}

/* Called once in about a hundred parser steps; ordinary code takes one call in 300 bytes. */
static bool spend(TSParseState *state) {
    uint64_t *budget = state->payload;
    if (*budget == 0) return true;
    --*budget;
    return false;
}

static TSTree *parse(SyntaxParser *self, Text bytes) {
    uint64_t budget = 20000 + bytes.length / 4;
    TSInput input = {.payload = &bytes, .read = read_rest, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &budget, .progress_callback = spend};
    ts_parser_reset(self->parser);
    return ts_parser_parse_with_options(self->parser, NULL, input, options);
}

/* ---- flattening ---- */

typedef struct Flatten {
    const SyntaxParser *parser;
    Arena *arena;
    Syntax *out;
    TSTreeCursor cursor;
    VEC(uint32_t) open; /* nodes whose subtree is being read */
} Flatten;

static Node node_at(const Flatten *self, bool *is_named) {
    TSNode node = ts_tree_cursor_current_node(&self->cursor);
    TSSymbol symbol = ts_node_symbol(node);
    *is_named = symbol == ERROR_SYMBOL || self->parser->is_named[symbol];
    NodeKind kind = symbol == ERROR_SYMBOL ? NODE_ERROR : self->parser->kind_of[symbol];
    return (Node){.start = ts_node_start_byte(node),
                  .end = ts_node_end_byte(node),
                  .kind = (uint8_t)kind,
                  .missing = ts_node_is_missing(node)};
}

/* Keeps the node at the cursor where it is wanted. Gives true when its children are to be read. */
static bool keep(Flatten *self) {
    bool is_named;
    Node node = node_at(self, &is_named);
    if (node.kind == NODE_LINE_CONTINUATION) return false;
    if (node.kind == NODE_COMMENT) {
        vec_push(self->arena, &self->out->comments, node);
        return false;
    }
    self->out->error_count += node.kind == NODE_ERROR || node.missing;
    NodeKind parent =
        self->open.count ? self->out->nodes.items[self->open.items[self->open.count - 1]].kind : 0;
    if (!is_named && (node.kind == NODE_OTHER || !kind_names[parent].keeps)) return false;
    vec_push(self->arena, &self->out->nodes, node);
    return is_named;
}

static void close_newest(Flatten *self) {
    uint32_t node = self->open.items[--self->open.count];
    self->out->nodes.items[node].next = self->out->nodes.count;
}

/* Depth first without recursion: a tree may be as deep as its file is long. */
static void flatten(Flatten *self) {
    for (;;) {
        uint32_t before = self->out->nodes.count;
        bool descend = keep(self);
        if (descend && ts_tree_cursor_goto_first_child(&self->cursor)) {
            vec_push(self->arena, &self->open, before);
            continue;
        }
        if (self->out->nodes.count > before) self->out->nodes.items[before].next = self->out->nodes.count;
        while (!ts_tree_cursor_goto_next_sibling(&self->cursor)) {
            if (!ts_tree_cursor_goto_parent(&self->cursor)) return;
            close_newest(self);
        }
    }
}

void syntax_parse(SyntaxParser *self, Arena *arena, Text bytes, Syntax *out) {
    *out = (Syntax){0};
    TSTree *tree = parse(self, bytes);
    if (!tree) {
        out->given_up = true;
        out->error_count = 1;
        vec_push(arena, &out->nodes, ((Node){.end = bytes.length, .next = 1, .kind = NODE_ERROR}));
        return;
    }
    Flatten walk = {.parser = self, .arena = arena, .out = out};
    walk.cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    flatten(&walk);
    ts_tree_cursor_delete(&walk.cursor);
    ts_tree_delete(tree);
}
