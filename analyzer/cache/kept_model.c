#include "kept_model.h"
#include "model_valid.h"
#include "pack.h"

static List list(Pack *self, List value) {
    List got = {.count = pack_number(self, value.count)};
    if (got.count) got.first = pack_number(self, value.first);
    return got;
}

/* ---- records ---- */

static void expr(Pack *io, Expr *e, ExprId id) {
    e->kind = pack_byte(io, e->kind), e->op = pack_byte(io, e->op);
    e->binding = pack_byte(io, e->binding), e->paren = pack_byte(io, e->paren);
    e->span = pack_span(io, e->span);
    e->a = pack_below(io, e->a, id), e->b = pack_below(io, e->b, id);
    e->c = pack_number(io, e->c);
    e->list = list(io, e->list);
    e->name = pack_number(io, e->name), e->slot = pack_number(io, e->slot);
    e->func = pack_number(io, e->func); /* or its loop: they share a union */
}

static void stmt(Pack *io, Stmt *s, StmtId id) {
    (void)id;
    s->kind = pack_byte(io, s->kind), s->op = pack_byte(io, s->op);
    s->span = pack_span(io, s->span), s->head = pack_span(io, s->head);
    s->a = pack_number(io, s->a), s->b = pack_number(io, s->b);
    s->list = list(io, s->list), s->body = list(io, s->body);
    s->orelse = list(io, s->orelse), s->final = list(io, s->final);
    s->func = pack_number(io, s->func), s->class_id = pack_number(io, s->class_id),
    s->loop = pack_number(io, s->loop);
}

static void func(Pack *io, Func *f, FuncId id) {
    (void)id;
    f->kind = pack_byte(io, f->kind), f->is_async = pack_byte(io, f->is_async);
    f->is_generator = pack_byte(io, f->is_generator);
    f->name = pack_number(io, f->name), f->parent = pack_number(io, f->parent);
    f->class_id = pack_number(io, f->class_id);
    f->span = pack_span(io, f->span);
    f->stmt = pack_number(io, f->stmt);
    f->decorators = list(io, f->decorators);
    f->first_param = pack_number(io, f->first_param), f->param_count = pack_number(io, f->param_count);
    f->returns = pack_number(io, f->returns);
    f->body = list(io, f->body);
    f->first_local = pack_number(io, f->first_local), f->local_count = pack_number(io, f->local_count);
    f->first_expr = pack_number(io, f->first_expr), f->end_expr = pack_number(io, f->end_expr);
    f->first_stmt = pack_number(io, f->first_stmt), f->end_stmt = pack_number(io, f->end_stmt);
    f->first_loop = pack_number(io, f->first_loop), f->end_loop = pack_number(io, f->end_loop);
}

static void class(Pack *io, Class *c, ClassId id) {
    (void)id;
    c->name = pack_number(io, c->name), c->parent = pack_number(io, c->parent);
    c->body = pack_number(io, c->body), c->outer = pack_number(io, c->outer);
    c->span = pack_span(io, c->span);
    c->bases = list(io, c->bases), c->decorators = list(io, c->decorators), c->methods = list(io, c->methods);
}

static void param(Pack *io, Param *p, uint32_t id) {
    (void)id;
    p->name = pack_number(io, p->name), p->slot = pack_number(io, p->slot);
    p->annotation = pack_number(io, p->annotation), p->fallback = pack_number(io, p->fallback);
    p->star = pack_byte(io, p->star);
    p->keyword_only = pack_byte(io, p->keyword_only), p->positional_only = pack_byte(io, p->positional_only);
}

static void local(Pack *io, Local *l, uint32_t id) {
    (void)id;
    l->name = pack_number(io, l->name), l->root = pack_number(io, l->root);
    l->above = pack_number(io, l->above);
    l->is_param = pack_byte(io, l->is_param), l->is_global = pack_byte(io, l->is_global);
    l->is_nonlocal = pack_byte(io, l->is_nonlocal), l->is_comprehension = pack_byte(io, l->is_comprehension);
}

static void loop(Pack *io, Loop *l, LoopId id) {
    (void)id;
    l->func = pack_number(io, l->func), l->outer = pack_number(io, l->outer);
    l->stmt = pack_number(io, l->stmt), l->expr = pack_number(io, l->expr);
    l->head = pack_span(io, l->head);
}

static void import(Pack *io, Import *i, uint32_t id) {
    (void)id;
    i->module = pack_number(io, i->module), i->name = pack_number(io, i->name),
    i->alias = pack_number(io, i->alias);
    i->target = pack_number(io, i->target);
    i->dots = pack_byte(io, i->dots), i->type_checking = pack_byte(io, i->type_checking);
    i->span = pack_span(io, i->span);
}

static void comment(Pack *io, Comment *c, uint32_t id) {
    (void)id;
    c->span = pack_span(io, c->span);
}

static void link(Pack *io, uint32_t *value, uint32_t id) {
    (void)id;
    *value = pack_near(io, *value, io->last);
    io->last = *value;
}

static void name(Pack *io, Text *text, NameId id) {
    (void)id;
    uint32_t length = pack_number(io, text->length);
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

#define EACH(io, vec, item)                                                                         \
    do {                                                                                            \
        uint32_t count = pack_number((io), (vec)->count);                                           \
        (io)->last = 0;                                                                             \
        if (!pack_count_holds((io), count)) break;                                                  \
        if (!(io)->writing) {                                                                       \
            (vec)->items = arena_alloc((io)->arena, count * sizeof *(vec)->items);                  \
            (vec)->count = (vec)->capacity = count;                                                 \
        }                                                                                           \
        for (uint32_t id = 0; id < count && !(io)->broken; id++) item((io), &(vec)->items[id], id); \
    } while (0)

/* The block's memory is freed later, so the names are copied, all at once. */
static void names(Pack *io, FileModel *model) {
    uint32_t from = io->at;
    EACH(io, &model->names, name);
    if (io->writing || io->broken) return;
    const char *kept = arena_copy(io->arena, io->in.bytes + from, io->at - from);
    for (uint32_t id = 0; id < model->names.count; id++) {
        Text *text = &model->names.items[id];
        text->bytes = kept + (text->bytes - (io->in.bytes + from));
    }
}

static void whole(Pack *io, FileModel *model) {
    model->byte_count = pack_number(io, model->byte_count);
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
    model->has_all = pack_byte(io, model->has_all), model->has_torch = pack_byte(io, model->has_torch);
    model->error_count = pack_number(io, model->error_count),
    model->given_up = pack_number(io, model->given_up), model->broken_at = pack_number(io, model->broken_at);
}

Text model_pack(Arena *result, const FileModel *model) {
    Pack io = {.arena = result, .writing = true};
    FileModel same = *model; /* its arrays are overwritten with equal values */
    whole(&io, &same);
    return (Text){io.out.items, io.out.count};
}

#define CLEAR_FIRST(vec) \
    if (model->vec.count) memset(model->vec.items, 0, sizeof *model->vec.items)

/* Zeroes the unused records 0, whatever the block has there. */
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
    Pack io = {.arena = result, .in = packed};
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
