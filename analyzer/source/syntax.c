#include "syntax.h"
#include "search.h"
#include <stdio.h>
#include <stdlib.h>
/* Uses tree-sitter's internal headers: trees are walked once, in order, and the public cursor would take a
   quarter of a parse for it, mostly for positions and counts that nobody needs. The library is pinned, so its
   internals are too. */
#include <language.h>
#include <tree.h>
#include <tree_memory.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

enum { SYMBOL_LIMIT = 512, ERROR_SYMBOL = UINT16_MAX };

struct SyntaxParser {
    const TSLanguage *language;
    TreeMemory *memory;
    uint8_t kind_of[SYMBOL_LIMIT]; /* NodeKind by symbol */
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

static _Noreturn void misfit(void) {
    fprintf(stderr, "syncl: this build's Python grammar does not fit its tree-sitter\n");
    exit(2);
}

void syntax_memory(void) { tree_memory_use(out_of_memory); }

/* Goes through every symbol, as the grammar has some names twice (two kinds of lambda). */
static NodeKind kind_of_symbol(const TSLanguage *language, TSSymbol symbol) {
    const char *name = ts_language_symbol_name(language, symbol);
    bool named = ts_language_symbol_type(language, symbol) == TSSymbolTypeRegular;
    for (NodeKind kind = NODE_ERROR + 1; kind < NODE_KIND_COUNT; kind++)
        if (kind_names[kind].named == named && strcmp(kind_names[kind].name, name) == 0) return kind;
    return NODE_OTHER;
}

SyntaxParser *syntax_open(void) {
    syntax_memory();
    const TSLanguage *language = tree_sitter_python();
    SyntaxParser *self = calloc(1, sizeof *self);
    if (!self) out_of_memory(sizeof *self);
    self->language = language;
    self->memory = tree_memory_new();
    uint32_t count = ts_language_symbol_count(language);
    if (count > SYMBOL_LIMIT) misfit();
    for (uint32_t symbol = 0; symbol < count; symbol++) {
        self->kind_of[symbol] = (uint8_t)kind_of_symbol(language, (TSSymbol)symbol);
        self->is_named[symbol] = ts_language_symbol_type(language, (TSSymbol)symbol) == TSSymbolTypeRegular;
    }
    return self;
}

void syntax_close(SyntaxParser *self) {
    tree_memory_free(self->memory);
    free(self);
}

/* ---- parsing within a budget ---- */

static const char *read_rest(void *payload, uint32_t offset, TSPoint position, uint32_t *count) {
    (void)position;
    const Text *bytes = payload;
    *count = offset < bytes->length ? bytes->length - offset : 0;
    return *count ? bytes->bytes + offset : "";
}

/* tree-sitter calls it about every hundred steps; ordinary code takes one call per 300 bytes. */
static bool spend(TSParseState *state) {
    uint64_t *budget = state->payload;
    if (*budget == 0) return true;
    --*budget;
    return false;
}

/* Each parse has a parser of its own, whose memory is freed with the tree's. */
static TSTree *parse(const SyntaxParser *self, Text bytes) {
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, self->language)) misfit();
    uint64_t budget = 20000 + bytes.length / 4;
    TSInput input = {.payload = &bytes, .read = read_rest, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &budget, .progress_callback = spend};
    return ts_parser_parse_with_options(parser, NULL, input, options);
}

/* ---- parsing around gaps ---- */

/* The pieces between gaps are joined and parsed as one text. (Tree-sitter's own ranges are searched through at
   every token.) */
typedef struct Piece {
    uint32_t at, start; /* where the piece begins in the joined text, and in the file */
} Piece;

typedef struct Pieces {
    Text rest;
    Piece *items;
    uint32_t count;
} Pieces;

static Pieces pieces_of(Arena *arena, Text bytes, Gaps gaps) {
    char *rest = arena_raw(arena, bytes.length + 1);
    Pieces out = {.rest = {rest, 0}, .items = arena_new(arena, Piece, gaps.count + 1)};
    for (uint32_t i = 0; i <= gaps.count; i++) {
        uint32_t start = i ? gaps.items[i - 1].end : 0,
                 end = i < gaps.count ? gaps.items[i].start : bytes.length;
        out.items[out.count++] = (Piece){out.rest.length, start};
        memcpy(rest + out.rest.length, bytes.bytes + start, end - start);
        out.rest.length += end - start;
    }
    return out;
}

/* Maps an offset of the joined text to the file. At a seam, a start belongs to the second piece, an end to the
   first. */
static uint32_t place_of(const Pieces *pieces, uint32_t offset, bool ends) {
    const Piece *piece = &pieces->items[LAST_BELOW(pieces->items, pieces->count, at, offset + !ends)];
    return piece->start + (offset - piece->at);
}

static void put_in_place(Node *nodes, uint32_t count, const Pieces *pieces) {
    for (uint32_t i = 0; i < count; i++) {
        bool empty = nodes[i].start == nodes[i].end;
        nodes[i].end = place_of(pieces, nodes[i].end, true);
        nodes[i].start = empty ? nodes[i].end : place_of(pieces, nodes[i].start, false);
    }
}

/* ---- flattening ---- */

enum { NO_NODE = UINT32_MAX };

/* Children of a node still to be read. Hidden nodes of the grammar are levels too: their children count as
   children of the visible node around them. */
typedef struct Level {
    const Subtree *next, *end;
    const TSSymbol
        *aliases;  /* aliases of the children, starting at the next one that is no extra; NULL = none have
                                any */
    uint32_t node; /* the node whose children they are; NO_NODE = the root's level */
    bool hidden;   /* `node` has further children after these */
} Level;

typedef struct Flatten {
    const SyntaxParser *parser;
    const TSLanguage *language;
    Arena *arena;
    Syntax *out;
    VEC(Level) levels;
    uint32_t at; /* end of what was read so far */
} Flatten;

static void count_error(Syntax *out, uint32_t at) {
    if (!out->error_count++) out->first_error = at;
}

/* Emits a node if it is wanted. True: its children are to be read. */
static bool keep(Flatten *self, Node node, bool is_named, uint32_t parent) {
    if (node.kind == NODE_LINE_CONTINUATION) return false;
    if (node.kind == NODE_COMMENT) {
        vec_push(self->arena, &self->out->comments, node);
        return false;
    }
    if (node.kind == NODE_ERROR || node.missing) count_error(self->out, node.start);
    NodeKind around = parent == NO_NODE ? NODE_OTHER : (NodeKind)self->out->nodes.items[parent].kind;
    if (!is_named && (node.kind == NODE_OTHER || !kind_names[around].keeps)) return false;
    vec_push(self->arena, &self->out->nodes, node);
    return is_named;
}

/* The symbol under which a child appears in the tree; 0 = it is hidden. */
static TSSymbol visible_symbol(Level *level, Subtree child) {
    TSSymbol alias = 0;
    if (!ts_subtree_extra(child) && level->aliases) alias = *level->aliases++;
    if (alias) return alias;
    return ts_subtree_visible(child) || level->node == NO_NODE ? ts_subtree_symbol(child) : 0;
}

static bool keep_child(Flatten *self, Subtree child, TSSymbol symbol, uint32_t parent) {
    uint32_t start = self->at + ts_subtree_padding(child).bytes;
    bool broken = symbol == ERROR_SYMBOL;
    Node node = {.start = start,
                 .end = start + ts_subtree_size(child).bytes,
                 .kind = broken ? (uint8_t)NODE_ERROR : self->parser->kind_of[symbol],
                 .missing = ts_subtree_missing(child)};
    node.next = self->out->nodes.count + 1;
    return keep(self, node, broken || self->parser->is_named[symbol], parent);
}

static void open_level(Flatten *self, Subtree child, uint32_t node, bool hidden) {
    const Subtree *children = ts_subtree_children(child);
    Level level = {.next = children,
                   .end = children + child.ptr->child_count,
                   .aliases = ts_language_alias_sequence(self->language, child.ptr->production_id),
                   .node = node,
                   .hidden = hidden};
    vec_push(self->arena, &self->levels, level);
}

/* Depth first without recursion: a tree may be as deep as its file is long. */
static void flatten(Flatten *self, const Subtree *root) {
    vec_push(self->arena, &self->levels, ((Level){.next = root, .end = root + 1, .node = NO_NODE}));
    while (self->levels.count) {
        Level *level = &self->levels.items[self->levels.count - 1];
        if (level->next == level->end) {
            if (!level->hidden && level->node != NO_NODE)
                self->out->nodes.items[level->node].next = self->out->nodes.count;
            self->levels.count--;
            continue;
        }
        Subtree child = *level->next++;
        TSSymbol symbol = visible_symbol(level, child);
        uint32_t node = symbol ? self->out->nodes.count : level->node;
        bool descend = !symbol || keep_child(self, child, symbol, level->node);
        if (descend && ts_subtree_visible_child_count(child))
            open_level(self, child, node, !symbol);
        else
            self->at += ts_subtree_total_bytes(child);
    }
}

static void give_up(Arena *arena, Text bytes, Syntax *out) {
    out->given_up = true;
    out->error_count = 1;
    vec_push(arena, &out->nodes, ((Node){.end = bytes.length, .next = 1, .kind = NODE_ERROR}));
}

static void parse_rest(SyntaxParser *self, Arena *arena, Text bytes, Syntax *out) {
    tree_memory_open(self->memory);
    TSTree *tree = parse(self, bytes);
    Flatten walk = {.parser = self, .language = self->language, .arena = arena, .out = out};
    if (tree)
        flatten(&walk, &tree->root);
    else
        give_up(arena, bytes, out);
    tree_memory_close(self->memory);
}

void syntax_parse(SyntaxParser *self, Arena *arena, Text bytes, Gaps gaps, Syntax *out) {
    *out = (Syntax){0};
    if (!gaps.count) {
        parse_rest(self, arena, bytes, out);
        return;
    }
    Pieces pieces = pieces_of(arena, bytes, gaps);
    parse_rest(self, arena, pieces.rest, out);
    out->first_error = place_of(&pieces, out->first_error, false);
    put_in_place(out->nodes.items, out->nodes.count, &pieces);
    put_in_place(out->comments.items, out->comments.count, &pieces);
}
