/* Decides which neighbours a run reads, and which of their functions. A worklist over names: inference starts
   in the files read whole, so the names in them are looked up, then the names in those definitions, and so on,
   breadth first. Of a module only the names asked for are wanted; of a package the one module that a name comes
   from; of a class the methods that somebody names, those that Python or a framework calls implicitly, and its
   bases. Names are read from the tokens of the source (outline.h), so nothing is parsed before it is wanted.
   Where all of that is small, everything else that the neighbours import is read too, for what names cannot
   show: registries, plug-ins. What the limits leave out is unknown to inference, and counted. */
#include "project_wanted.h"
#include <ctype.h>
#include <stdlib.h>

/* Limits: bytes of neighbours that are parsed (without module-level statements), and number of neighbours. They
   keep it to a tenth of a second in all. Where the files read whole are large, the limit is twice their size. */
enum { WANTED_BYTES = 256 << 10, WIDENED_BYTES = 160 << 10, NEIGHBOURS_READ = 400, NEIGHBOURS_WIDENED = 128 };
enum { LONG_VARIABLE = 80, STARS_FOLLOWED = 32 };

/* A name wanted from a source; with dots, attributes of the module that the name stands for. */
typedef struct Request {
    uint32_t source;
    Text name;
} Request;

/* One chunk of a source. */
typedef struct Mark {
    uint32_t source, chunk;
} Mark;

/* A method of a wanted class; it is wanted only once somebody names it. */
typedef struct Waiting {
    Mark method;
    uint32_t next; /* index of the next one with the same name; 0 = last */
} Waiting;

struct Demand {
    Loading *loading;
    Arena *arena;
    VEC(Request) requests; /* names still to be looked up, some in files that are not read yet */
    VEC(Mark) marks;       /* the worklist: wanted definitions in the order in which they were asked for */
    uint32_t looked_at;    /* marks before this index are done */
    Names members;         /* names of methods, and names that occur after a dot */
    VEC(uint8_t) named;    /* [Sym - 1]: the name occurs after a dot somewhere */
    VEC(uint32_t) waiting; /* [Sym - 1]: index of the first waiter of that name */
    VEC(Waiting) waiters;  /* items[0] unused */
    uint64_t bytes, most;  /* bytes wanted so far, and the limit */
    bool widening;         /* now reading whatever is left of the neighbours */
};

static Source *source_of(const Demand *self, uint32_t i) { return &self->loading->sources.items[i]; }

static struct Wanted *wanted_of(Demand *self, uint32_t i) {
    Source *source = source_of(self, i);
    if (!source->wanted) source->wanted = wanted_new(self->loading, source);
    return source->wanted;
}

static Text dotted_join(Demand *self, Text a, Text b) {
    if (!b.length) return a;
    return text_format(self->arena, "%.*s.%.*s", SHOWN(a), SHOWN(b));
}

static Text cut_first(Text *dotted) {
    uint32_t end = 0;
    while (end < dotted->length && dotted->bytes[end] != '.') end++;
    Text first = text_slice(*dotted, 0, end);
    *dotted = text_slice(*dotted, end + (end < dotted->length), dotted->length);
    return first;
}

/* ---- asking ---- */

/* Index + 1 of the source at a module's path; 0 = none. */
static uint32_t source_at(const Demand *self, Text path) {
    Loading *loading = self->loading;
    arena_reset(&loading->brief);
    uint32_t id = names_find(&loading->known, path_join(&loading->brief, path, TEXT("__init__.py")));
    if (id) return id;
    Text file = text_format(&loading->brief, "%.*s.py", SHOWN(path));
    return names_find(&loading->known, file);
}

static void ask(Demand *self, uint32_t source, Text name) {
    if (source) vec_push(self->arena, &self->requests, ((Request){source - 1, name}));
}

static bool is_full(const Demand *self) {
    uint32_t given = self->loading->given, most = 2 * given > NEIGHBOURS_READ ? 2 * given : NEIGHBOURS_READ;
    return self->loading->sources.count - given >= most;
}

static Text place_of(Demand *self, uint32_t i, uint32_t k) {
    struct Wanted *wanted = wanted_of(self, i);
    Imported *import = &wanted->imports.items[k];
    if (import->placed) return import->place;
    if (is_full(self) && !source_of(self, i)->whole) {
        self->loading->unread++;
        import->placed = source_of(self, i)->cut = true;
        return import->place;
    }
    Source source = *source_of(self, i); /* a copy: adding moves the array */
    import->placed = true;
    import->place = loading_import(self->loading, &source, wanted->roots, &import->written);
    return import->place;
}

static Text first_place(const Token *import, Text place) {
    for (uint32_t at = 0; at < import->module.length && !import->alias.length; at++)
        if (import->module.bytes[at] == '.') place = path_folder(place);
    return place;
}

/* `a.b.c.name` after `import a.b.c` asks the package a for the rest. Folders without __init__.py pass nothing
   on. */
static void ask_below(Demand *self, const Token *import, Text place, Text rest) {
    Text below = import->module;
    ask(self, source_at(self, first_place(import, place)), rest);
    for ((void)cut_first(&below); below.length && rest.length;)
        if (!text_equal(cut_first(&below), cut_first(&rest))) return;
    if (rest.length && !import->alias.length) ask(self, source_at(self, place), rest);
}

/* Asks for the attribute path `rest` of what the import binds; empty: for that itself. */
static void ask_through(Demand *self, uint32_t i, uint32_t k, Text rest) {
    Token written = wanted_of(self, i)->imports.items[k].written;
    wanted_of(self, i)->wanted[wanted_of(self, i)->imports.items[k].chunk] = true;
    Text place = place_of(self, i, k);
    if (!place.length) return;
    if (!written.name.length) {
        if (rest.length) ask_below(self, &written, place, rest);
        return;
    }
    uint32_t module = source_at(self, path_join(self->arena, place, written.name));
    if (module && rest.length) ask(self, module, rest);
    ask(self, source_at(self, place), module ? written.name : dotted_join(self, written.name, rest));
}

/* Whether the name starts with the module's last part, ignoring case and underscores: modules are often named
   after what they hold, e.g. models.qwen2_vl gives Qwen2VLConfig. */
static bool is_named_after_module(Text module, Text name) {
    uint32_t at = 0, last = module.length;
    while (last > 0 && module.bytes[last - 1] != '.') last--;
    for (uint32_t i = last; i < module.length; i++) {
        if (module.bytes[i] == '_') continue;
        if (at == name.length || tolower((unsigned char)name.bytes[at]) != module.bytes[i]) return false;
        at++;
    }
    return at > 0;
}

/* A name that a module does not bind may come through its star imports. Where there are very many of them, only
   the modules whose name resembles it are searched. */
static void ask_stars(Demand *self, uint32_t i, Text name) {
    struct Wanted *wanted = wanted_of(self, i);
    if (!wanted->star_count || wanted_is_builtin(name)) return;
    bool many = wanted->star_count > STARS_FOLLOWED;
    uint32_t star = names_find(&wanted->names, TEXT("*"));
    for (uint32_t k = wanted->bound.items[star - 1].import; k; k = wanted->imports.items[k].next) {
        const Imported *import = &wanted->imports.items[k];
        if (many && !is_named_after_module(import->written.module, name)) continue;
        wanted->wanted[import->chunk] = true;
        Text place = place_of(self, i, k);
        if (place.length) ask(self, source_at(self, place), name);
    }
    self->loading->unread += many;
}

/* ---- names used by a definition ---- */

static void want(Demand *self, uint32_t i, uint32_t chunk) {
    if (source_of(self, i)->whole || wanted_of(self, i)->wanted[chunk]) return;
    wanted_of(self, i)->wanted[chunk] = true;
    vec_push(self->arena, &self->marks, ((Mark){i, chunk}));
}

static Sym member(Demand *self, Text name) {
    Sym id = names_intern(&self->members, name);
    while (self->named.count < id) {
        vec_push(self->arena, &self->named, 0);
        vec_push(self->arena, &self->waiting, 0);
    }
    return id;
}

static void name_member(Demand *self, Text name) {
    Sym id = member(self, name);
    if (self->named.items[id - 1]) return;
    self->named.items[id - 1] = true;
    for (uint32_t w = self->waiting.items[id - 1]; w; w = self->waiters.items[w].next)
        want(self, self->waiters.items[w].method.source, self->waiters.items[w].method.chunk);
}

static void name_members(Demand *self, Text dotted) {
    while (dotted.length) name_member(self, cut_first(&dotted));
}

/* False: the module does not bind the name. */
static bool want_name(Demand *self, uint32_t i, Text name, Text rest) {
    struct Wanted *wanted = wanted_of(self, i);
    Sym known = names_find(&wanted->names, name);
    if (!known) return false;
    Bound bound = wanted->bound.items[known - 1];
    for (; bound.chunk; bound.chunk = wanted->next_chunk[bound.chunk]) want(self, i, bound.chunk);
    for (; bound.import; bound.import = wanted->imports.items[bound.import].next)
        ask_through(self, i, bound.import, rest);
    return true;
}

static bool is_local(Demand *self, uint32_t i, Text name) {
    return wanted_is_local(wanted_of(self, i), source_of(self, i)->bytes, name);
}

/* Asks for a name and the attributes taken from it, once per source. */
static void read_name(Demand *self, uint32_t i, const Token *token) {
    struct Wanted *wanted = wanted_of(self, i);
    Text whole = {token->text.bytes, token->text.length + (token->rest.length ? token->rest.length + 1 : 0)};
    Sym before = wanted->asked.texts.count;
    if (names_intern(&wanted->asked, whole) <= before) return;
    name_members(self, token->rest);
    if (!want_name(self, i, token->text, token->rest) && !is_local(self, i, token->text))
        ask_stars(self, i, whole);
}

/* A string counts as a name too: getattr(x, "name"). */
static void read_tokens(Demand *self, uint32_t i, Span span, bool in_function) {
    Tokens tokens = tokens_in(source_of(self, i)->bytes, span);
    bool is_getattr = false;
    for (Token token; tokens_next(&tokens, &token);) {
        if (token.kind == TOKEN_STRING && is_getattr) name_member(self, token.text);
        if (token.kind == TOKEN_STRING) is_getattr = false;
        if (token.kind == TOKEN_IMPORT && in_function)
            ask_through(self, i, wanted_import(wanted_of(self, i), &token, 0), (Text){0});
        if (token.kind != TOKEN_NAME) continue;
        is_getattr |= text_is(token.text, "getattr") || text_is(token.text, "hasattr");
        if (token.is_member) {
            name_member(self, token.text);
            name_members(self, token.rest);
        } else if (!token.is_bound) {
            read_name(self, i, &token);
        }
    }
}

/* Whether Python or a framework calls the method without its name in the program: __len__, forward, hooks. */
static bool is_called_unnamed(const Demand *self, Text name) {
    const ProjectLimits *limits = &self->loading->limits;
    if (text_starts(name, TEXT("__")) && text_ends(name, TEXT("__"))) return true;
    for (uint32_t i = 0; i < limits->hook_count; i++)
        if (text_equal(name, limits->hooks[i])) return true;
    return false;
}

/* Whether a variable is parsed only if named: a long `name = ...` is a table or a text. Short ones and typed
   fields cost less than they may tell. */
static bool is_left_out_unnamed(const Chunk *chunk) {
    return chunk->kind == CHUNK_VARIABLE && !chunk->is_typed &&
           chunk->span.end - chunk->span.start > LONG_VARIABLE;
}

static void want_member(Demand *self, uint32_t i, uint32_t chunk) {
    Text name = source_of(self, i)->outline.chunks.items[chunk].name;
    Sym id = member(self, name);
    if (self->named.items[id - 1] || is_called_unnamed(self, name)) {
        want(self, i, chunk);
        return;
    }
    vec_push(self->arena, &self->waiters, ((Waiting){{i, chunk}, self->waiting.items[id - 1]}));
    self->waiting.items[id - 1] = self->waiters.count - 1;
}

/* The first chunk after the body of a class. */
static uint32_t class_end(const Outline *outline, uint32_t class_chunk) {
    uint32_t end = outline->chunks.items[class_chunk].span.end, k = class_chunk + 1;
    while (k < outline->chunks.count && outline->chunks.items[k].span.start < end) k++;
    return k;
}

static void read_class(Demand *self, uint32_t i, uint32_t class_chunk) {
    const Outline *outline = &source_of(self, i)->outline;
    Chunk holder = outline->chunks.items[class_chunk];
    read_tokens(self, i, (Span){holder.span.start, holder.body.start}, false);
    for (uint32_t k = class_chunk + 1, end = class_end(outline, class_chunk); k < end; k++) {
        const Chunk *chunk = &outline->chunks.items[k];
        if (chunk->outer != class_chunk) continue;
        if (chunk->kind == CHUNK_DEF || is_left_out_unnamed(chunk))
            want_member(self, i, k);
        else
            want(self, i, k);
    }
}

/* Whether parsing the chunk would exceed the limit; a class counts as its methods and variables. */
static bool exceeds_limit(Demand *self, const Chunk *chunk, uint64_t limit) {
    uint32_t bytes = chunk->kind == CHUNK_CLASS ? 0 : chunk->span.end - chunk->span.start;
    bytes -= chunk->text.end - chunk->text.start;
    if (self->bytes + bytes > limit) return true;
    self->bytes += bytes;
    return false;
}

static void read_definition(Demand *self, const Mark *one) {
    Source *source = source_of(self, one->source);
    Chunk chunk = source->outline.chunks.items[one->chunk];
    if (exceeds_limit(self, &chunk, self->most)) {
        source->wanted->wanted[one->chunk] = false;
        source->cut = true;
        self->loading->unread++;
    } else if (chunk.kind == CHUNK_CLASS) {
        read_class(self, one->source, one->chunk);
    } else {
        read_tokens(self, one->source, chunk.span, chunk.kind == CHUNK_DEF);
    }
}

/* Reads what runs when the module is imported: everything but its variables, which are read once somebody asks
   for them. */
static void read_body(Demand *self, uint32_t i) {
    const Outline *outline = &source_of(self, i)->outline;
    for (uint32_t k = 1; k < outline->chunks.count; k++)
        if (!outline->chunks.items[k].outer && outline->chunks.items[k].kind == CHUNK_OTHER)
            read_tokens(self, i, outline->chunks.items[k].span, false);
}

/* ---- the demand on one source ---- */

/* The source of the module that the dotted name starts with, below a package; the rest stays in *dotted. 0 =
   none. */
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
    struct Wanted *wanted = wanted_of(self, i);
    Text file = source_of(self, i)->absolute, rest = request->name, below = request->name;
    Sym before = wanted->asked.texts.count;
    if (names_intern(&wanted->asked, request->name) <= before) return;
    if (want_name(self, i, cut_first(&rest), rest)) return;
    bool is_package = text_ends(file, TEXT("/__init__.py"));
    uint32_t child = is_package ? module_below(self, path_folder(file), &below) : 0;
    if (!child)
        ask_stars(self, i, request->name);
    else if (below.length)
        ask(self, child, below);
}

/* Runs the worklist until everything asked of the sources read so far is done. */
static void settle(Demand *self, uint32_t read) {
    uint32_t kept = 0;
    for (uint32_t at = 0; at < self->requests.count || self->looked_at < self->marks.count;) {
        if (at < self->requests.count) {
            Request request = self->requests.items[at++];
            if (request.source >= read)
                self->requests.items[kept++] = request;
            else if (!source_of(self, request.source)->skipped.length)
                ask_one(self, &request);
        } else {
            Mark one = self->marks.items[self->looked_at++];
            read_definition(self, &one);
        }
    }
    self->requests.count = kept;
}

static void widen_imports(Demand *self, uint32_t i) {
    struct Wanted *wanted = wanted_of(self, i);
    const Loading *loading = self->loading;
    uint32_t k = 1, most = self->bytes < WIDENED_BYTES ? loading->given + NEIGHBOURS_WIDENED : 0;
    for (; k < wanted->imports.count && loading->sources.count < most; k++) (void)place_of(self, i, k);
    for (; k < wanted->imports.count; k++) source_of(self, i)->cut |= !wanted->imports.items[k].placed;
    wanted->widened = true;
}

static void widen_chunks(Demand *self, uint32_t i) {
    struct Wanted *wanted = wanted_of(self, i);
    const Outline *outline = &source_of(self, i)->outline;
    for (uint32_t k = 1; k < outline->chunks.count; k++)
        wanted->wanted[k] |=
            !wanted->wanted[k] && !exceeds_limit(self, &outline->chunks.items[k], WIDENED_BYTES);
}

/* Adds whatever is left in the neighbours, and what they import, within a smaller limit. Follows no names. */
static void widen(Demand *self, uint32_t end) {
    for (uint32_t i = 0; i < end; i++) {
        const Source *source = source_of(self, i);
        if (source->whole || source->skipped.length || wanted_of(self, i)->widened) continue;
        widen_imports(self, i);
        widen_chunks(self, i);
    }
}

Demand *demand_open(Loading *loading) {
    Demand *self = arena_new(&loading->scratch, Demand, 1);
    *self = (Demand){.loading = loading, .arena = &loading->scratch};
    self->members.arena = self->arena;
    vec_push(self->arena, &self->waiters, (Waiting){0});
    return self;
}

static uint64_t room_for(const Demand *self, uint32_t given) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < given; i++) bytes += source_of(self, i)->bytes.length;
    return 2 * bytes > WANTED_BYTES ? 2 * bytes : WANTED_BYTES;
}

void demand_neighbours(Demand *self, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        if (source_of(self, i)->whole) loading_imports(self->loading, i);
    if (self->loading->given == self->loading->sources.count) return; /* there are no neighbours */
    if (first == 0) self->most = room_for(self, end);
    for (uint32_t i = first; i < end; i++) {
        if (source_of(self, i)->whole)
            read_tokens(self, i, (Span){0, source_of(self, i)->bytes.length}, false);
        else if (!self->widening)
            read_body(self, i);
    }
    settle(self, end);
    self->widening |= self->loading->sources.count == end;
    if (self->widening) widen(self, end);
}

/* ---- what is left out ---- */

/* Whether a class has a method that is named anywhere. On an object of unknown type, inference considers every
   class with such a method, so the class must be parsed. */
static bool has_named_method(const Demand *self, const Outline *outline, uint32_t class_chunk) {
    for (uint32_t k = class_chunk + 1, end = class_end(outline, class_chunk); k < end; k++) {
        Sym id = names_find(&self->members, outline->chunks.items[k].name);
        if (outline->chunks.items[k].kind == CHUNK_DEF && id && self->named.items[id - 1]) return true;
    }
    return false;
}

/* The part of a chunk that nobody wants; empty: all of it is wanted. */
static Span left_out(const Demand *self, const Source *source, uint32_t k) {
    const Chunk *chunk = &source->outline.chunks.items[k];
    Span behind_head = {chunk->body.start, chunk->span.end}, none = {0};
    bool wanted = source->wanted->wanted[k];
    switch ((ChunkKind)chunk->kind) {
    case CHUNK_DEF: return wanted ? chunk->text : chunk->outer ? behind_head : chunk->span;
    case CHUNK_TEXT: return chunk->span;
    case CHUNK_CLASS: return wanted || has_named_method(self, &source->outline, k) ? none : chunk->span;
    case CHUNK_IMPORT: return wanted ? none : chunk->span;
    case CHUNK_VARIABLE:
        if (wanted || text_is(chunk->name, "__all__") || (chunk->outer && !is_left_out_unnamed(chunk)))
            return none;
        return chunk->span;
    default: return none;
    }
}

/* Something of the source is wanted, even if only to be imported from elsewhere. */
static bool is_wanted(const Source *source) {
    for (uint32_t k = 1; k < source->outline.chunks.count; k++)
        if (source->wanted->wanted[k]) return true;
    return false;
}

static void leave_out(Demand *self, Source *source) {
    Arena *arena = self->loading->result;
    Span all = {0, source->bytes.length};
    if (!is_wanted(source)) {
        vec_push(arena, &source->left_out, all);
        return;
    }
    for (uint32_t k = 1; k < source->outline.chunks.count; k++) {
        Span span = left_out(self, source, k);
        if (span.end > span.start) vec_push(arena, &source->left_out, span);
        bool whole_class = source->outline.chunks.items[k].kind == CHUNK_CLASS && span.end > span.start;
        if (whole_class) k = class_end(&source->outline, k) - 1;
    }
}

void demand_close(Demand *self) {
    for (uint32_t i = self->loading->given; i < self->loading->sources.count; i++)
        if (source_of(self, i)->wanted) leave_out(self, source_of(self, i));
}
