/* Which neighbours a run reads. What the files given import is read for what they take from it: of a neighbour, the names
   asked for, what their definitions name, and so on through its imports; a package's __init__.py leads to the one module
   that a name comes from, and not to the hundreds that it could give. Where all that is small, everything else that the
   neighbours import is read too, for what cannot be seen in names: registries, plug-ins. */
#include "loading.h"
#include <stdlib.h>

/* Everything is read up to so many; a project of this size takes a tenth of a second. */
enum { NEIGHBOURS_READ_WHOLE = 128, CHAIN_BYTES = 256 };

/* A name that is wanted of a source; with dots, what is taken from the module that the name stands for. */
typedef struct Request {
    uint32_t source;
    Text name;
} Request;

typedef struct Mark {
    uint32_t source, slot;
} Mark;

struct Demand {
    Loading *loading;
    Arena *arena;
    VEC(Request) requests; /* not looked at yet, or of files that are not read yet */
    VEC(Mark) marks;       /* of definitions that are not looked at yet */
    Names asked;           /* "source name": every request so far */
    bool widening;         /* everything asked for is read */
};

/* `root.text` stands in the source, where an import binds the root. */
typedef struct Chain {
    Text text;
    uint32_t next; /* of the same root */
} Chain;

/* A def or class of the module's body, with all that stands in it. */
typedef struct Definition {
    Span span;
    uint32_t slot, next; /* of the same slot */
    FuncId first_func;
} Definition;

/* What is known of the demand on one source, once it is read. Lists go through indices, 0 = the end. */
struct Wanted {
    Names names;             /* variables of the module's body */
    VEC(uint32_t) slot_of;   /* by name - 1 */
    bool *asked;             /* by slot */
    bool *placed, *followed; /* imports: whose files were added; what is taken from which was asked for */
    Text *places;            /* where they lead to */
    uint32_t *sorted;        /* imports by the expression that they bind */
    uint32_t *import_of, *next_import; /* by slot; by import */
    VEC(Definition) definitions;       /* by span; items[0] unused */
    uint32_t *definition_of;           /* by slot */
    FuncId *next_func;                 /* of the same definition */
    bool *binds;                       /* expressions that a def, a class or an import binds */
    Roots *roots;
    VEC(Chain) chains;  /* items[0] unused; made when first needed */
    uint32_t *chain_of; /* by NameId of the root; NULL = not made yet */
    bool has_stars, widened;
};

static Source *source_of(const Demand *self, uint32_t i) { return &self->loading->sources.items[i]; }

static const Func *body_of(const FileModel *model) { return &model->funcs.items[1]; }

static bool within(ExprId expr, const Func *func) { return expr >= func->first_expr && expr < func->end_expr; }

static bool is_star(const FileModel *model, const Import *import) {
    return import->name && text_equal(model_name(model, import->name), TEXT("*"));
}

static Text dotted_join(Demand *self, Text a, Text b) {
    return text_format(self->arena, "%.*s.%.*s", (int)a.length, a.bytes, (int)b.length, b.bytes);
}

/* ---- what is kept of a source ---- */

/* In the module's body, or by `global`. */
static bool of_module(const FileModel *model, ExprId target) {
    return within(target, body_of(model)) || model->exprs.items[target].binding == BIND_GLOBAL;
}

typedef struct Bound {
    ExprId target;
    uint32_t import;
} Bound;

static int by_target(const void *a, const void *b) {
    const Bound *left = a, *right = b;
    return left->target < right->target ? -1 : left->target > right->target;
}

static void index_imports(Demand *self, const FileModel *model, struct Wanted *wanted) {
    uint32_t count = model->imports.count;
    Bound *order = arena_new(self->arena, Bound, count + 1);
    wanted->sorted = arena_new(self->arena, uint32_t, count + 1);
    wanted->next_import = arena_new(self->arena, uint32_t, count + 1);
    for (uint32_t k = count; k-- > 1;) {
        const Import *import = &model->imports.items[k];
        uint32_t slot = model->exprs.items[import->target].slot;
        order[k] = (Bound){import->target, k};
        wanted->binds[import->target] = true;
        if (!slot || !of_module(model, import->target)) continue;
        wanted->next_import[k] = wanted->import_of[slot];
        wanted->import_of[slot] = k;
    }
    qsort(order, count, sizeof *order, by_target);
    for (uint32_t k = 0; k < count; k++) wanted->sorted[k] = order[k].import;
}

static int by_start(const void *a, const void *b) {
    const Definition *left = a, *right = b;
    return left->span.start < right->span.start ? -1 : left->span.start > right->span.start;
}

/* The last one that starts no later; 0 = none. */
static uint32_t definition_at(const struct Wanted *wanted, uint32_t offset) {
    uint32_t low = 0, high = wanted->definitions.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (wanted->definitions.items[middle].span.start <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void index_definitions(Demand *self, const FileModel *model, struct Wanted *wanted) {
    const Func *body = body_of(model);
    vec_push(self->arena, &wanted->definitions, (Definition){0});
    for (StmtId s = body->first_stmt; s < body->end_stmt; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (stmt->kind != STMT_FUNCTION && stmt->kind != STMT_CLASS) continue;
        wanted->binds[stmt->b] = true;
        Definition one = {.span = stmt->span, .slot = model->exprs.items[stmt->b].slot};
        vec_push(self->arena, &wanted->definitions, one);
    }
    uint32_t count = wanted->definitions.count;
    qsort(wanted->definitions.items + 1, count - 1, sizeof *wanted->definitions.items, by_start);
    for (uint32_t d = 1; d < count; d++) {
        Definition *one = &wanted->definitions.items[d];
        one->next = wanted->definition_of[one->slot];
        wanted->definition_of[one->slot] = d;
    }
    for (FuncId f = model->funcs.count; f-- > 2;) {
        Span span = model->funcs.items[f].span;
        Definition *around = &wanted->definitions.items[definition_at(wanted, span.start)];
        if (span.end > around->span.end) continue;
        wanted->next_func[f] = around->first_func;
        around->first_func = f;
    }
}

static void index_names(Demand *self, const FileModel *model, struct Wanted *wanted) {
    const Func *body = body_of(model);
    wanted->names.arena = self->arena;
    for (uint32_t slot = 1; slot <= body->local_count; slot++) {
        const Local *local = &model->locals.items[body->first_local + slot - 1];
        if (local->root || local->is_comprehension) continue;
        Sym before = wanted->names.texts.count;
        if (names_intern(&wanted->names, model_name(model, local->name)) > before)
            vec_push(self->arena, &wanted->slot_of, slot);
    }
}

static bool any_star(const FileModel *model) {
    for (uint32_t k = 1; k < model->imports.count; k++)
        if (is_star(model, &model->imports.items[k])) return true;
    return false;
}

/* Its imports only: of a run over a whole project, nothing else is needed. */
static struct Wanted *wanted_of(Demand *self, uint32_t i) {
    Source *source = source_of(self, i);
    if (source->wanted) return source->wanted;
    struct Wanted *wanted = source->wanted = arena_new(self->arena, struct Wanted, 1);
    uint32_t imports = source->model->imports.count + 1;
    wanted->placed = arena_new(self->arena, bool, imports);
    wanted->followed = arena_new(self->arena, bool, imports);
    wanted->places = arena_new(self->arena, Text, imports);
    wanted->roots = arena_new(self->arena, Roots, 1);
    wanted->has_stars = any_star(source->model);
    loading_roots(self->loading, source, wanted->roots);
    return wanted;
}

/* And its definitions. */
static struct Wanted *indexed(Demand *self, uint32_t i) {
    struct Wanted *wanted = wanted_of(self, i);
    const FileModel *model = source_of(self, i)->model;
    if (wanted->binds) return wanted;
    uint32_t slots = body_of(model)->local_count + 1;
    wanted->asked = arena_new(self->arena, bool, slots);
    wanted->import_of = arena_new(self->arena, uint32_t, slots);
    wanted->definition_of = arena_new(self->arena, uint32_t, slots);
    wanted->next_func = arena_new(self->arena, FuncId, model->funcs.count);
    wanted->binds = arena_new(self->arena, bool, model->exprs.count + 1);
    index_imports(self, model, wanted);
    index_definitions(self, model, wanted);
    index_names(self, model, wanted);
    return wanted;
}

/* What stands before a dot, down to a name. Gives the name; 0 = it starts elsewhere, or is long. */
static NameId chain_of(const FileModel *model, const Expr *expr, char *bytes, uint32_t *start) {
    *start = CHAIN_BYTES;
    for (; expr->kind == EXPR_ATTRIBUTE; expr = &model->exprs.items[expr->a]) {
        Text name = model_name(model, expr->name);
        if (name.length + 1 > *start) return 0;
        *start -= name.length;
        memcpy(bytes + *start, name.bytes, name.length);
        bytes[--*start] = '.';
    }
    ++*start;
    return expr->kind == EXPR_NAME ? expr->name : 0;
}

static void find_chains(Demand *self, uint32_t i) {
    struct Wanted *wanted = wanted_of(self, i);
    const FileModel *model = source_of(self, i)->model;
    bool *bound = arena_new(self->arena, bool, model->names.count + 1);
    Names known = {.arena = self->arena};
    wanted->chain_of = arena_new(self->arena, uint32_t, model->names.count + 1);
    vec_push(self->arena, &wanted->chains, (Chain){0});
    for (uint32_t k = 1; k < model->imports.count; k++)
        bound[model->exprs.items[model->imports.items[k].target].name] = true;
    for (ExprId e = 1; e < model->exprs.count; e++) {
        char bytes[CHAIN_BYTES];
        uint32_t start;
        NameId root = chain_of(model, &model->exprs.items[e], bytes, &start);
        if (!root || start >= CHAIN_BYTES || !bound[root]) continue;
        Text text = {bytes + start, CHAIN_BYTES - start};
        Sym before = known.texts.count;
        if (names_intern(&known, dotted_join(self, model_name(model, root), text)) <= before) continue;
        Text kept = {arena_copy(self->arena, text.bytes, text.length), text.length};
        vec_push(self->arena, &wanted->chains, ((Chain){kept, wanted->chain_of[root]}));
        wanted->chain_of[root] = wanted->chains.count - 1;
    }
}

/* ---- asking ---- */

/* The source that a module's path stands for, + 1; 0 = none. */
static uint32_t source_at(const Demand *self, Text path) {
    Loading *loading = self->loading;
    arena_reset(&loading->brief);
    uint32_t id = names_find(&loading->known, path_join(&loading->brief, path, TEXT("__init__.py")));
    if (id) return id;
    Text file = text_format(&loading->brief, "%.*s.py", (int)path.length, path.bytes);
    return names_find(&loading->known, file);
}

/* A file given was asked for everything; what it has through a star import, it may still have to ask for. */
static bool is_asked_for(Demand *self, uint32_t i) {
    return source_of(self, i)->reported && source_of(self, i)->model && !wanted_of(self, i)->has_stars;
}

static void ask(Demand *self, uint32_t source, Text name) {
    if (!source || is_asked_for(self, source - 1)) return;
    Sym before = self->asked.texts.count;
    Text key = text_format(self->arena, "%u %.*s", source - 1, (int)name.length, name.bytes);
    if (names_intern(&self->asked, key) <= before) return;
    vec_push(self->arena, &self->requests, ((Request){source - 1, name}));
}

/* What the source takes from behind a name that an import binds to a module, or may. */
static void ask_behind(Demand *self, uint32_t i, NameId root, uint32_t target, Text prefix) {
    struct Wanted *wanted = wanted_of(self, i);
    if (!target || is_asked_for(self, target - 1)) return;
    if (!wanted->chain_of) find_chains(self, i);
    for (uint32_t c = wanted->chain_of[root]; c; c = wanted->chains.items[c].next) {
        Text chain = wanted->chains.items[c].text;
        ask(self, target, prefix.length ? dotted_join(self, prefix, chain) : chain);
    }
}

static Text place_of(Demand *self, uint32_t i, uint32_t k) {
    struct Wanted *wanted = wanted_of(self, i);
    if (!wanted->placed[k]) {
        Source source = *source_of(self, i); /* a copy: adding moves the array */
        wanted->placed[k] = true;
        wanted->places[k] =
            loading_import(self->loading, &source, wanted->roots, &source.model->imports.items[k]);
    }
    return wanted->places[k];
}

static Text first_place(const FileModel *model, const Import *import, Text place) {
    Text dotted = model_name(model, import->module);
    for (uint32_t at = 0; at < dotted.length && !import->alias; at++)
        if (dotted.bytes[at] == '.') place = path_folder(place);
    return place;
}

/* `rest` of what the import binds. */
static void ask_through(Demand *self, uint32_t i, uint32_t k, Text rest) {
    const FileModel *model = source_of(self, i)->model;
    const Import *import = &model->imports.items[k];
    Text place = place_of(self, i, k), name = model_name(model, import->name);
    if (!place.length || is_star(model, import)) return;
    uint32_t module = import->name ? source_at(self, path_join(self->arena, place, name))
                                   : source_at(self, first_place(model, import, place));
    if (module)
        ask(self, module, rest);
    else if (import->name)
        ask(self, source_at(self, place), dotted_join(self, name, rest));
}

static void follow(Demand *self, uint32_t i, uint32_t k) {
    bool *followed = &wanted_of(self, i)->followed[k];
    if (*followed) return;
    *followed = true;
    const FileModel *model = source_of(self, i)->model;
    const Import *import = &model->imports.items[k];
    Text place = place_of(self, i, k), name = model_name(model, import->name);
    if (!place.length || is_star(model, import)) return;
    NameId root = model->exprs.items[import->target].name;
    if (!import->name) {
        ask_behind(self, i, root, source_at(self, first_place(model, import, place)), (Text){0});
        return;
    }
    uint32_t from = source_at(self, place);
    uint32_t module = source_at(self, path_join(self->arena, place, name));
    ask(self, from, name);
    if (module)
        ask_behind(self, i, root, module, (Text){0});
    else if (from && text_ends(source_of(self, from - 1)->absolute, TEXT("/__init__.py")))
        ask_behind(self, i, root, from, name);
}

/* Python's own: a star import that gives another of that name is not looked for. */
static bool is_builtin(Text name) {
    static const char *const names[] = {
        "abs",      "aiter",      "all",        "anext",   "any",      "ascii",     "bin",
        "bool",     "breakpoint", "bytearray",  "bytes",   "callable", "chr",       "classmethod",
        "compile",  "complex",    "delattr",    "dict",    "dir",      "divmod",    "enumerate",
        "eval",     "exec",       "filter",     "float",   "format",   "frozenset", "getattr",
        "globals",  "hasattr",    "hash",       "help",    "hex",      "id",        "input",
        "int",      "isinstance", "issubclass", "iter",    "len",      "list",      "locals",
        "map",      "max",        "memoryview", "min",     "next",     "object",    "oct",
        "open",     "ord",        "pow",        "print",   "property", "range",     "repr",
        "reversed", "round",      "set",        "setattr", "slice",    "sorted",    "staticmethod",
        "str",      "sum",        "super",      "tuple",   "type",     "vars",      "zip"};
    static const char *const ends[] = {"Error", "Exception", "Warning"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(name, names[i])) return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, text_of(ends[i]))) return true;
    return text_starts(name, TEXT("_")); /* and no star gives these */
}

/* A name that a module does not bind comes through its star imports, if at all. */
static void ask_stars(Demand *self, uint32_t i, Text name) {
    const FileModel *model = source_of(self, i)->model;
    if (!wanted_of(self, i)->has_stars || is_builtin(name)) return;
    for (uint32_t k = 1; k < model->imports.count; k++) {
        if (!is_star(model, &model->imports.items[k])) continue;
        Text place = place_of(self, i, k);
        if (place.length) ask(self, source_at(self, place), name);
    }
}

/* ---- what a definition names ---- */

static void mark(Demand *self, uint32_t i, uint32_t slot) {
    bool *asked = &indexed(self, i)->asked[slot];
    if (!*asked) vec_push(self->arena, &self->marks, ((Mark){i, slot}));
    *asked = true;
}

/* The first import, in the order of what they bind, that binds this expression or a later one. */
static uint32_t first_bound(const FileModel *model, const struct Wanted *wanted, ExprId expr) {
    uint32_t low = 0, high = model->imports.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (model->imports.items[wanted->sorted[middle]].target < expr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void read_exprs(Demand *self, uint32_t i, const Func *func, bool is_body) {
    const FileModel *model = source_of(self, i)->model;
    const struct Wanted *wanted = indexed(self, i);
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (expr->kind != EXPR_NAME || (is_body ? wanted->binds[e] : expr->binding != BIND_GLOBAL)) continue;
        if (expr->slot)
            mark(self, i, expr->slot);
        else
            ask_stars(self, i, model_name(model, expr->name));
    }
    for (uint32_t at = first_bound(model, wanted, func->first_expr); !is_body && at < model->imports.count;
         at++) {
        if (!within(model->imports.items[wanted->sorted[at]].target, func)) break;
        follow(self, i, wanted->sorted[at]);
    }
}

/* What runs when the module is imported. */
static void read_body(Demand *self, uint32_t i) {
    const FileModel *model = source_of(self, i)->model;
    read_exprs(self, i, body_of(model), true);
    for (FuncId f = 2; f < model->funcs.count; f++) {
        const Func *func = &model->funcs.items[f];
        if (func->kind == FUNC_LAMBDA && func->parent == 1) read_exprs(self, i, func, false);
    }
}

static void read_definition(Demand *self, const Mark *one) {
    const FileModel *model = source_of(self, one->source)->model;
    const struct Wanted *wanted = indexed(self, one->source);
    for (uint32_t k = wanted->import_of[one->slot]; k; k = wanted->next_import[k]) follow(self, one->source, k);
    for (uint32_t d = wanted->definition_of[one->slot]; d; d = wanted->definitions.items[d].next)
        for (FuncId f = wanted->definitions.items[d].first_func; f; f = wanted->next_func[f])
            read_exprs(self, one->source, &model->funcs.items[f], false);
}

/* ---- the demand on one source ---- */

static Text cut_first(Text *dotted) {
    uint32_t end = 0;
    while (end < dotted->length && dotted->bytes[end] != '.') end++;
    Text first = text_slice(*dotted, 0, end);
    *dotted = text_slice(*dotted, end + (end < dotted->length), dotted->length);
    return first;
}

/* The module that the name starts with, below a package; what is behind it stays in *dotted. 0 = none. */
static uint32_t module_below(Demand *self, Text folder, Text *dotted) {
    uint32_t source = 0;
    while (dotted->length && !source) {
        folder = path_join(self->arena, folder, cut_first(dotted));
        source = source_at(self, folder);
    }
    return source;
}

static void ask_one(Demand *self, const Request *request) {
    uint32_t i = request->source;
    const struct Wanted *wanted = indexed(self, i);
    Text file = source_of(self, i)->absolute, rest = request->name, below = request->name;
    Sym known = names_find(&wanted->names, cut_first(&rest));
    if (known) {
        uint32_t slot = wanted->slot_of.items[known - 1];
        mark(self, i, slot);
        for (uint32_t k = rest.length ? wanted->import_of[slot] : 0; k; k = wanted->next_import[k])
            ask_through(self, i, k, rest);
        return;
    }
    bool is_package = text_ends(file, TEXT("/__init__.py"));
    uint32_t child = is_package ? module_below(self, path_folder(file), &below) : 0;
    if (!child)
        ask_stars(self, i, request->name);
    else if (below.length)
        ask(self, child, below);
}

/* A file given: all that it imports. */
static void ask_all(Demand *self, uint32_t i) {
    const FileModel *model = source_of(self, i)->model;
    for (uint32_t k = 1; k < model->imports.count; k++) follow(self, i, k);
    for (ExprId e = 1; wanted_of(self, i)->has_stars && e < model->exprs.count; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (expr->kind == EXPR_NAME && expr->binding == BIND_GLOBAL && !expr->slot)
            ask_stars(self, i, model_name(model, expr->name));
    }
}

/* Until all that was asked of what is read has been looked at. */
static void settle(Demand *self, uint32_t read) {
    uint32_t kept = 0;
    for (uint32_t at = 0; at < self->requests.count || self->marks.count;) {
        if (self->marks.count) {
            Mark one = self->marks.items[--self->marks.count];
            read_definition(self, &one);
            continue;
        }
        Request request = self->requests.items[at++];
        if (request.source >= read)
            self->requests.items[kept++] = request;
        else if (source_of(self, request.source)->model)
            ask_one(self, &request);
    }
    self->requests.count = kept;
}

static uint32_t given_of(const Demand *self) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < self->loading->sources.count; i++) given += source_of(self, i)->reported;
    return given;
}

/* Whatever is left that the neighbours import, while they are few. Nothing is asked of these. */
static void widen(Demand *self, uint32_t end) {
    const Loading *loading = self->loading;
    uint32_t given = given_of(self);
    for (uint32_t i = 0; i < end; i++) {
        if (!source_of(self, i)->model || source_of(self, i)->reported || wanted_of(self, i)->widened) continue;
        uint32_t imports = source_of(self, i)->model->imports.count, k = 1;
        for (; k < imports && loading->sources.count - given < NEIGHBOURS_READ_WHOLE; k++)
            (void)place_of(self, i, k);
        for (; k < imports; k++) source_of(self, i)->cut |= !wanted_of(self, i)->placed[k];
        wanted_of(self, i)->widened = true;
    }
}

Demand *demand_open(Loading *loading) {
    Demand *self = arena_new(&loading->scratch, Demand, 1);
    *self = (Demand){.loading = loading, .arena = &loading->scratch};
    self->asked.arena = self->arena;
    return self;
}

static void place_imports(Demand *self, uint32_t i) {
    uint32_t count = source_of(self, i)->model->imports.count;
    for (uint32_t k = 1; k < count; k++) (void)place_of(self, i, k);
}

void demand_neighbours(Demand *self, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (source_of(self, i)->reported && source_of(self, i)->model) place_imports(self, i);
    if (given_of(self) == self->loading->sources.count) return; /* nothing but what is given */
    for (uint32_t i = first; i < end; i++) {
        if (!source_of(self, i)->model) continue;
        if (source_of(self, i)->reported)
            ask_all(self, i);
        else if (!self->widening)
            read_body(self, i);
    }
    settle(self, end);
    self->widening |= self->loading->sources.count == end;
    if (self->widening) widen(self, end);
}
