/* Lowers one file: runs the queue of functions, then packs the arrays. */
#include "lowering.h"

/* ---- nodes ---- */

static uint32_t skip_error_nodes(const Lowering *self, uint32_t child, uint32_t end) {
    while (child < end && self->nodes[child].kind == NODE_ERROR) child = self->nodes[child].next;
    return child < end ? child : 0;
}

uint32_t lower_first(const Lowering *self, uint32_t node) {
    return skip_error_nodes(self, node + 1, self->nodes[node].next);
}

uint32_t lower_next(const Lowering *self, uint32_t node, uint32_t after) {
    return skip_error_nodes(self, self->nodes[after].next, self->nodes[node].next);
}

uint32_t lower_last(const Lowering *self, uint32_t node) {
    uint32_t last = 0;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) last = child;
    return last;
}

Text lower_text(const Lowering *self, uint32_t node) {
    return text_slice(self->bytes, self->nodes[node].start, self->nodes[node].end);
}

bool lower_comma_follows(const Lowering *self, uint32_t node, uint32_t end) {
    const char *bytes = self->bytes.bytes;
    for (uint32_t at = self->nodes[node].end; at < end; at++) {
        if (bytes[at] == ',') return true;
        if (bytes[at] == '#')
            while (at < end && bytes[at] != '\n') at++;
        else if (bytes[at] != ' ' && bytes[at] != '\n' && bytes[at] != '\t' && bytes[at] != '\r' &&
                 bytes[at] != '\\')
            return false;
    }
    return false;
}

void lower_give_up(Lowering *self, uint32_t node) {
    if (!self->model.given_up++ && !self->model.error_count) self->model.broken_at = self->nodes[node].start;
}

/* ---- names and lists ---- */

/* Nearly all names are bytes of the source, and are not copied. */
static bool in_source(Text source, Text text) {
    uintptr_t at = (uintptr_t)text.bytes - (uintptr_t)source.bytes;
    return at <= source.length && text.length <= source.length - at;
}

NameId lower_name(Lowering *self, Text text) {
    return in_source(self->bytes, text) ? names_keep(&self->names, text) : names_intern(&self->names, text);
}

void lower_list_add(Lowering *self, uint32_t item) { vec_push(self->scratch, &self->pending, item); }

List lower_list_close(Lowering *self, uint32_t mark) {
    List list = {self->model.links.count, self->pending.count - mark};
    for (uint32_t i = mark; i < self->pending.count; i++)
        vec_push(self->scratch, &self->model.links, self->pending.items[i]);
    self->pending.count = mark;
    if (!list.count) list.first = 0;
    return list;
}

/* ---- functions ---- */

static void bind_params(Lowering *self, const Func *func) {
    for (uint32_t i = 0; i < func->param_count; i++) {
        Param *param = &self->model.params.items[func->first_param + i];
        param->slot = lower_bind(self, param->name);
        self->locals.items[param->slot - 1].is_param = 1;
    }
}

static List lambda_body(Lowering *self, uint32_t node) {
    ExprId value = lower_expr(self, node);
    Span span = lower_span(self, node);
    StmtId id = lower_stmt_open(self);
    lower_stmt_close(self, id, (Stmt){.kind = STMT_RETURN, .span = span, .head = span, .a = value});
    uint32_t mark = lower_list_open(self);
    lower_list_add(self, id);
    return lower_list_close(self, mark);
}

static void keep_locals(Lowering *self, Func *func) {
    func->first_local = self->model.locals.count;
    func->local_count = self->locals.count;
    for (uint32_t i = 0; i < self->locals.count; i++)
        vec_push(self->scratch, &self->model.locals, self->locals.items[i]);
}

static void open_function(Lowering *self, FuncId id) {
    const Job *job = &self->jobs.items[id];
    Func *func = &self->model.funcs.items[id];
    self->func = id;
    self->depth = job->depth;
    self->type_checking = job->type_checking;
    self->loop = 0;
    self->comps = NULL;
    self->locals.count = 0;
    self->methods.count = 0;
    func->first_expr = self->model.exprs.count;
    func->first_stmt = self->model.stmts.count;
    func->first_loop = self->model.loops.count;
}

static void close_function(Lowering *self, FuncId id, List body) {
    lower_resolve(self);
    lower_paths(self);
    Func *func = &self->model.funcs.items[id];
    func->body = body;
    func->end_expr = self->model.exprs.count;
    func->end_stmt = self->model.stmts.count;
    func->end_loop = self->model.loops.count;
    keep_locals(self, func);
    ClassId class_id = self->jobs.items[id].class_id;
    if (!class_id) return;
    uint32_t mark = lower_list_open(self);
    for (uint32_t i = 0; i < self->methods.count; i++) lower_list_add(self, self->methods.items[i]);
    List methods = lower_list_close(self, mark);
    self->model.classes.items[class_id].methods = methods;
}

static void lower_function(Lowering *self, FuncId id) {
    open_function(self, id);
    Func func = self->model.funcs.items[id];
    uint32_t node = self->jobs.items[id].body;
    List body = {0};
    bind_params(self, &func);
    if (id == 1) {
        for (uint32_t i = 0; i < self->globals.count; i++) lower_bind(self, self->globals.items[i]);
        body = lower_suite(self, 0);
    } else if (func.kind == FUNC_LAMBDA) {
        if (node) body = lambda_body(self, node);
    } else {
        body = lower_block(self, node);
    }
    close_function(self, id, body);
}

/* A name that some function declares global is a variable of the module, whether or not the module binds it. */
static void find_globals(Lowering *self) {
    for (uint32_t node = 1; node < self->syntax->nodes.count; node++) {
        if (self->nodes[node].kind != NODE_GLOBAL_STATEMENT) continue;
        for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
            vec_push(self->scratch, &self->globals, lower_name(self, lower_text(self, child)));
    }
}

/* ---- the file ---- */

static void find_lines(Lowering *self) {
    const char *bytes = self->bytes.bytes, *end = bytes + self->bytes.length;
    vec_push(self->scratch, &self->model.lines, 0);
    for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        vec_push(self->scratch, &self->model.lines, (uint32_t)(at - bytes) + 1);
}

static bool mentions_torch(Text bytes) {
    const char *at = bytes.bytes, *end = bytes.bytes + bytes.length;
    while (end - at >= 5 && (at = memchr(at, 't', (size_t)(end - at) - 4))) {
        if (memcmp(at, "torch", 5) == 0) return true;
        at++;
    }
    return false;
}

/* Libraries that use torch though a file that imports them need not mention it. */
static bool imports_torch(const Lowering *self) {
    static const Text heads[] = {
#define TORCH_PACKAGE(name) {#name, sizeof #name - 1},
#include "torch_packages.def"
    };
    for (uint32_t i = 1; i < self->model.imports.count; i++) {
        Text module = names_text(&self->names, self->model.imports.items[i].module);
        for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
            Text head = heads[h];
            bool whole =
                text_starts(module, head) && (module.length == head.length || module.bytes[head.length] == '.');
            if (whole) return true;
        }
    }
    return false;
}

/* The strings of `__all__ = [...]` and `__all__ += [...]` at the top of the module. */
static void find_exported(Lowering *self) {
    FileModel *model = &self->model;
    NameId all = names_find(&self->names, TEXT("__all__"));
    uint32_t mark = lower_list_open(self);
    List body = model->funcs.items[1].body;
    for (uint32_t i = 0; all && i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        if (stmt->kind != STMT_ASSIGN && stmt->kind != STMT_AUGMENT) continue;
        ExprId target = stmt->kind == STMT_AUGMENT ? stmt->a : model->links.items[stmt->list.first];
        if (model->exprs.items[target].kind != EXPR_NAME || model->exprs.items[target].name != all) continue;
        const Expr *value = &model->exprs.items[stmt->b];
        if (value->kind != EXPR_LIST && value->kind != EXPR_TUPLE) continue;
        model->has_all = 1;
        for (uint32_t k = 0; k < value->list.count; k++) {
            const Expr *item = &model->exprs.items[model->links.items[value->list.first + k]];
            if (item->kind == EXPR_STRING) lower_list_add(self, item->name);
        }
    }
    model->exported = lower_list_close(self, mark);
}

static void keep_comments(Lowering *self) {
    for (uint32_t i = 0; i < self->syntax->comments.count; i++) {
        const Node *node = &self->syntax->comments.items[i];
        vec_push(self->scratch, &self->model.comments, ((Comment){{node->start, node->end}}));
    }
}

/* ---- packing ---- */

#define pack_vec(arena, vec)                                                                \
    ((vec)->items = arena_copy((arena), (vec)->items, sizeof *(vec)->items * (vec)->count), \
     (vec)->capacity = (vec)->count)

static void pack_names(Arena *result, const Names *names, Text source, FileModel *out) {
    size_t length = 0;
    for (uint32_t i = 0; i < names->texts.count; i++)
        if (!in_source(source, names->texts.items[i])) length += names->texts.items[i].length;
    char *bytes = arena_alloc(result, length);
    out->names.count = out->names.capacity = names->texts.count + 1;
    out->names.items = arena_new(result, Text, out->names.count);
    out->names.items[0] = (Text){bytes, 0};
    for (uint32_t i = 0; i < names->texts.count; i++) {
        Text text = names->texts.items[i];
        out->names.items[i + 1] = text;
        if (in_source(source, text)) continue;
        if (text.length) memcpy(bytes, text.bytes, text.length);
        out->names.items[i + 1].bytes = bytes;
        bytes += text.length;
    }
}

static void pack(Arena *result, const Lowering *self, FileModel *out) {
    *out = self->model;
    pack_vec(result, &out->exprs);
    pack_vec(result, &out->stmts);
    pack_vec(result, &out->funcs);
    pack_vec(result, &out->classes);
    pack_vec(result, &out->params);
    pack_vec(result, &out->locals);
    pack_vec(result, &out->loops);
    pack_vec(result, &out->imports);
    pack_vec(result, &out->comments);
    pack_vec(result, &out->links);
    pack_vec(result, &out->lines);
    pack_names(result, &self->names, self->bytes, out);
}

/* Index 0 of every array is an unused zero record. */
static void reserve_zero(Lowering *self) {
    FileModel *model = &self->model;
    vec_push(self->scratch, &model->exprs, (Expr){0});
    vec_push(self->scratch, &model->stmts, (Stmt){0});
    vec_push(self->scratch, &model->funcs, (Func){0});
    vec_push(self->scratch, &model->classes, (Class){0});
    vec_push(self->scratch, &model->params, (Param){0});
    vec_push(self->scratch, &model->locals, (Local){0});
    vec_push(self->scratch, &model->loops, (Loop){0});
    vec_push(self->scratch, &model->imports, (Import){0});
    vec_push(self->scratch, &model->comments, (Comment){0});
    vec_push(self->scratch, &model->links, 0);
    vec_push(self->scratch, &self->jobs, (Job){0});
}

void lower_around(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, Gaps gaps, FileModel *out) {
    Syntax syntax;
    syntax_parse(parser, scratch, bytes, gaps, &syntax);
    Lowering self = {
        .scratch = scratch, .parser = parser, .bytes = bytes, .syntax = &syntax, .nodes = syntax.nodes.items};
    self.names.arena = scratch;
    self.model.byte_count = bytes.length;
    self.model.error_count = syntax.error_count;
    self.model.given_up = syntax.given_up;
    self.model.broken_at = syntax.first_error;
    reserve_zero(&self);
    find_lines(&self);
    find_globals(&self);
    vec_push(scratch, &self.model.funcs, ((Func){.kind = FUNC_MODULE, .span = {0, bytes.length}}));
    vec_push(scratch, &self.jobs, (Job){0});
    for (FuncId id = 1; id < self.model.funcs.count; id++) lower_function(&self, id);
    find_exported(&self);
    keep_comments(&self);
    self.model.has_torch = mentions_torch(bytes) || imports_torch(&self);
    pack(result, &self, out);
}

void lower_file(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, FileModel *out) {
    lower_around(result, scratch, parser, bytes, (Gaps){0}, out);
}
