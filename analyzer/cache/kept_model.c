/* Writing and reading are one: `number` gives what is written, or what is read. */
#include "kept_model.h"
#include "model_valid.h"

typedef struct Io {
    Arena *arena;
    bool writing, broken;
    Text in;
    uint32_t at;
    VEC(char) out;
    uint32_t last; /* where the last span began */
} Io;

static uint32_t written(Io *self, uint32_t number) {
    uint32_t rest = number;
    for (; rest >= 128; rest >>= 7) vec_push(self->arena, &self->out, (char)(rest | 128));
    vec_push(self->arena, &self->out, (char)rest);
    return number;
}

static uint32_t read_number(Io *self) {
    uint32_t number = 0;
    for (uint32_t shift = 0; shift < 35 && self->at < self->in.length; shift += 7) {
        uint32_t byte = (unsigned char)self->in.bytes[self->at++];
        number |= (byte & 127) << (shift & 31);
        if (byte < 128) return number;
    }
    self->broken = true;
    return 0;
}

static inline uint32_t number(Io *self, uint32_t value) {
    if (self->writing) return written(self, value);
    if (self->at < self->in.length && (unsigned char)self->in.bytes[self->at] < 128)
        return (unsigned char)self->in.bytes[self->at++];
    return read_number(self);
}

static uint8_t byte(Io *self, uint8_t value) { return (uint8_t)number(self, value); }

/* As a distance either way, small ones first: 0, -1, 1, -2, ... */
static uint32_t near(Io *self, uint32_t value, uint32_t to) {
    uint32_t distance = value - to;
    uint32_t got = number(self, distance << 1 ^ (0 - (distance >> 31)));
    return to + (got >> 1 ^ (0 - (got & 1)));
}

/* 0 stays 0; else how far below `parent`. */
static uint32_t below(Io *self, uint32_t value, uint32_t parent) {
    uint32_t got = number(self, value ? parent - value : 0);
    return got ? parent - got : 0;
}

static Span span(Io *self, Span value) {
    Span got = {.start = near(self, value.start, self->last)};
    got.end = got.start + number(self, value.end - value.start);
    self->last = got.start;
    return got;
}

static List list(Io *self, List value) {
    List got = {.count = number(self, value.count)};
    if (got.count) got.first = number(self, value.first);
    return got;
}

/* ---- records ---- */

static void expr(Io *io, Expr *e, ExprId id) {
    e->kind = byte(io, e->kind), e->op = byte(io, e->op);
    e->binding = byte(io, e->binding), e->paren = byte(io, e->paren);
    e->span = span(io, e->span);
    e->a = below(io, e->a, id), e->b = below(io, e->b, id);
    e->c = number(io, e->c);
    e->list = list(io, e->list);
    e->name = number(io, e->name), e->slot = number(io, e->slot);
    e->func = number(io, e->func), e->loop = number(io, e->loop);
}

static void stmt(Io *io, Stmt *s, StmtId id) {
    (void)id;
    s->kind = byte(io, s->kind), s->op = byte(io, s->op);
    s->span = span(io, s->span), s->head = span(io, s->head);
    s->a = number(io, s->a), s->b = number(io, s->b);
    s->list = list(io, s->list), s->body = list(io, s->body);
    s->orelse = list(io, s->orelse), s->final = list(io, s->final);
    s->func = number(io, s->func), s->class_id = number(io, s->class_id), s->loop = number(io, s->loop);
}

static void func(Io *io, Func *f, FuncId id) {
    (void)id;
    f->kind = byte(io, f->kind), f->is_async = byte(io, f->is_async);
    f->is_generator = byte(io, f->is_generator);
    f->name = number(io, f->name), f->parent = number(io, f->parent);
    f->class_id = number(io, f->class_id);
    f->span = span(io, f->span);
    f->stmt = number(io, f->stmt);
    f->decorators = list(io, f->decorators);
    f->first_param = number(io, f->first_param), f->param_count = number(io, f->param_count);
    f->returns = number(io, f->returns);
    f->body = list(io, f->body);
    f->first_local = number(io, f->first_local), f->local_count = number(io, f->local_count);
    f->first_expr = number(io, f->first_expr), f->end_expr = number(io, f->end_expr);
    f->first_stmt = number(io, f->first_stmt), f->end_stmt = number(io, f->end_stmt);
    f->first_loop = number(io, f->first_loop), f->end_loop = number(io, f->end_loop);
}

static void class(Io *io, Class *c, ClassId id) {
    (void)id;
    c->name = number(io, c->name), c->parent = number(io, c->parent);
    c->body = number(io, c->body), c->outer = number(io, c->outer);
    c->span = span(io, c->span);
    c->bases = list(io, c->bases), c->decorators = list(io, c->decorators), c->methods = list(io, c->methods);
}

static void param(Io *io, Param *p, uint32_t id) {
    (void)id;
    p->name = number(io, p->name), p->slot = number(io, p->slot);
    p->annotation = number(io, p->annotation), p->fallback = number(io, p->fallback);
    p->star = byte(io, p->star);
    p->keyword_only = byte(io, p->keyword_only), p->positional_only = byte(io, p->positional_only);
}

static void local(Io *io, Local *l, uint32_t id) {
    (void)id;
    l->name = number(io, l->name), l->root = number(io, l->root);
    l->is_param = byte(io, l->is_param), l->is_global = byte(io, l->is_global);
    l->is_nonlocal = byte(io, l->is_nonlocal), l->is_comprehension = byte(io, l->is_comprehension);
}

static void loop(Io *io, Loop *l, LoopId id) {
    (void)id;
    l->func = number(io, l->func), l->outer = number(io, l->outer);
    l->stmt = number(io, l->stmt), l->expr = number(io, l->expr);
    l->head = span(io, l->head);
}

static void import(Io *io, Import *i, uint32_t id) {
    (void)id;
    i->module = number(io, i->module), i->name = number(io, i->name), i->alias = number(io, i->alias);
    i->target = number(io, i->target);
    i->dots = byte(io, i->dots), i->type_checking = byte(io, i->type_checking);
    i->span = span(io, i->span);
}

static void comment(Io *io, Comment *c, uint32_t id) {
    (void)id;
    c->span = span(io, c->span);
}

static void link(Io *io, uint32_t *value, uint32_t id) {
    (void)id;
    *value = near(io, *value, io->last);
    io->last = *value;
}

static void name(Io *io, Text *text, NameId id) {
    (void)id;
    uint32_t length = number(io, text->length);
    if (io->writing) {
        for (uint32_t i = 0; i < length; i++) vec_push(io->arena, &io->out, text->bytes[i]);
    } else if (length > io->in.length - io->at) {
        io->broken = true;
    } else {
        *text = (Text){io->in.bytes + io->at, length};
        io->at += length;
    }
}

/* ---- the whole ---- */

/* A record takes a byte at least, so a count beyond the bytes that are left is none. */
static bool count_holds(Io *io, uint32_t count) {
    io->broken |= !io->writing && count > io->in.length - io->at;
    return !io->broken;
}

#define EACH(io, vec, item)                                                                         \
    do {                                                                                            \
        uint32_t count = number((io), (vec)->count);                                                \
        (io)->last = 0;                                                                             \
        if (!count_holds((io), count)) break;                                                       \
        if (!(io)->writing) {                                                                       \
            (vec)->items = arena_alloc((io)->arena, count * sizeof *(vec)->items);                  \
            (vec)->count = (vec)->capacity = count;                                                 \
        }                                                                                           \
        for (uint32_t id = 0; id < count && !(io)->broken; id++) item((io), &(vec)->items[id], id); \
    } while (0)

/* The block goes, the names in it stay: they are copied all at once. */
static void names(Io *io, FileModel *model) {
    uint32_t from = io->at;
    EACH(io, &model->names, name);
    if (io->writing || io->broken) return;
    const char *kept = arena_copy(io->arena, io->in.bytes + from, io->at - from);
    for (uint32_t id = 0; id < model->names.count; id++) {
        Text *text = &model->names.items[id];
        text->bytes = kept + (text->bytes - (io->in.bytes + from));
    }
}

static void whole(Io *io, FileModel *model) {
    model->byte_count = number(io, model->byte_count);
    names(io, model);
    EACH(io, &model->exprs, expr);
    EACH(io, &model->stmts, stmt);
    EACH(io, &model->funcs, func);
    EACH(io, &model->classes, class);
    EACH(io, &model->params, param);
    EACH(io, &model->locals, local);
    EACH(io, &model->loops, loop);
    EACH(io, &model->imports, import);
    EACH(io, &model->comments, comment);
    EACH(io, &model->links, link);
    EACH(io, &model->lines, link);
    model->exported = list(io, model->exported);
    model->has_all = byte(io, model->has_all), model->has_torch = byte(io, model->has_torch);
    model->error_count = number(io, model->error_count), model->given_up = number(io, model->given_up);
}

Text model_pack(Arena *result, const FileModel *model) {
    Io io = {.arena = result, .writing = true};
    FileModel same = *model; /* its arrays are written over with what they hold */
    whole(&io, &same);
    return (Text){io.out.items, io.out.count};
}

#define CLEAR_FIRST(vec) \
    if (model->vec.count) memset(model->vec.items, 0, sizeof *model->vec.items)

/* Whatever the block says of the records that stand for none. */
static void clear_firsts(FileModel *model) {
    CLEAR_FIRST(exprs);
    CLEAR_FIRST(stmts);
    CLEAR_FIRST(funcs);
    CLEAR_FIRST(classes);
    CLEAR_FIRST(params);
    CLEAR_FIRST(locals);
    CLEAR_FIRST(loops);
    CLEAR_FIRST(imports);
    CLEAR_FIRST(comments);
    if (model->names.count) model->names.items[0].length = 0;
}

bool model_unpack(Arena *result, Arena *scratch, Text packed, uint32_t byte_count, FileModel *model) {
    Io io = {.arena = result, .in = packed};
    *model = (FileModel){0};
    whole(&io, model);
    clear_firsts(model);
    return !io.broken && io.at == packed.length && model->byte_count == byte_count &&
           model_valid(scratch, model);
}

static Digest key_of(Arena *scratch, Text bytes, Gaps gaps) {
    Digest whole = digest_of(bytes);
    if (!gaps.count) return whole;
    uint32_t room = (uint32_t)(gaps.count * sizeof *gaps.items);
    char *key = arena_alloc(scratch, sizeof whole + room);
    memcpy(key, &whole, sizeof whole);
    memcpy(key + sizeof whole, gaps.items, room);
    return digest_of((Text){key, (uint32_t)sizeof whole + room});
}

bool kept_model_find(const Cache *cache, Arena *result, Arena *scratch, Text bytes, Gaps gaps,
                     FileModel *model) {
    Text packed;
    Digest key = key_of(scratch, bytes, gaps);
    if (bytes.length < KEPT_MODEL_LEAST || !cache_read(cache, scratch, BLOCK_MODEL, key, &packed)) return false;
    if (model_unpack(result, scratch, packed, bytes.length, model)) return true;
    cache_remove(cache, BLOCK_MODEL, key);
    return false;
}

uint64_t kept_model_keep(const Cache *cache, Arena *scratch, Text bytes, Gaps gaps, const FileModel *model) {
    if (bytes.length < KEPT_MODEL_LEAST) return 0;
    return cache_write(cache, BLOCK_MODEL, key_of(scratch, bytes, gaps), model_pack(scratch, model));
}
