/* Default values of what is bound outside of functions and classes: flags of a module, and attributes that other
   code puts on an object. Example: after `try: ops = load(sources); FAST = True` with `except Exception: FAST =
   False`, FAST is true by default. */
#include "calls.h"
#include "flow_walk.h"

static const Literal unknown;

static bool spans(Span outer, Span inner) { return outer.start <= inner.start && inner.end <= outer.end; }

/* The first `try` of the module's body around the statement; 0 = none. */
static StmtId try_around(const FileModel *model, StmtId id) {
    const Func *body = &model->funcs.items[1];
    for (StmtId s = body->first_stmt; s < body->end_stmt && s < id; s++)
        if (model->stmts.items[s].kind == STMT_TRY &&
            spans(model->stmts.items[s].span, model->stmts.items[id].span))
            return s;
    return 0;
}

static bool is_handled(const FileModel *model, const Stmt *tries, StmtId id) {
    for (uint32_t i = 0; i < tries->list.count; i++)
        if (spans(model->stmts.items[model->links.items[tries->list.first + i]].span,
                  model->stmts.items[id].span))
            return true;
    return false;
}

/* Whether another package is there is for the user to decide; that what a package builds of its own files can be
   built is the usual case. */
static bool imports_foreign(const FileModel *model, const Stmt *tries) {
    for (uint32_t i = 0; i < tries->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[tries->body.first + i]];
        for (uint32_t k = 0; stmt->kind == STMT_IMPORT && k < stmt->list.count; k++)
            if (!model->imports.items[model->links.items[stmt->list.first + k]].dots) return true;
    }
    return false;
}

static bool is_in_body(const FileModel *model, StmtId id) {
    List body = model->funcs.items[1].body;
    for (uint32_t i = 0; i < body.count; i++)
        if (model->links.items[body.first + i] == id) return true;
    return false;
}

/* `DUMP = os.environ.get("DUMP")` as a statement of the module, where nothing else assigns it, nor an attribute of
   that name: `settings.DUMP = "here"`. */
ExprId usual_global_given(const Walk *walk, Sym name, Walk *there) {
    const Writes *writes = walk->inference->writes[walk->context->file];
    const Write *only = NULL;
    const Outside *outside = &walk->around_calls->outside[name];
    if (outside->given || outside->differs) return 0;
    for (const Write *w = writes ? writes_of_name(writes, name) : NULL; w; w = write_next(writes, w)) {
        if (walk->model->exprs.items[w->target].kind != EXPR_NAME) continue;
        if (only || w->kind != DEF_ASSIGN || !is_in_body(walk->model, w->stmt)) return 0;
        only = w;
    }
    const Inference *inference = walk->inference;
    ContextId body = only ? inference->func_contexts[global_func(inference, walk->context->file, 1)] : 0;
    if (!body) return 0;
    *there = walk_of(walk, body);
    return usual_given(there->model, &there->model->stmts.items[only->stmt], only->target);
}

Literal usual_global(const Walk *walk, const Expr *expr, int depth) {
    const FileModel *model = walk->model;
    const Writes *writes = walk->inference->writes[walk->context->file];
    Walk there;
    ExprId given = usual_global_given(walk, walk->file->syms[expr->name], &there);
    Literal once = given ? usual_at(&there, given, depth + 1) : unknown;
    if (once.kind) return once;
    StmtId tries = 0;
    Literal all = unknown;
    for (const Write *w = writes ? writes_of_name(writes, walk->file->syms[expr->name]) : NULL; w;
         w = write_next(writes, w)) {
        if (model->exprs.items[w->target].kind != EXPR_NAME ||
            model->funcs.items[w->func].kind == FUNC_CLASS_BODY)
            continue;
        StmtId around = w->func == 1 && w->kind == DEF_ASSIGN ? try_around(model, w->stmt) : 0;
        bool first = !tries && !around && w->func == 1; /* FAST = False, before it is tried */
        if (first) continue;
        if (!around || (tries && tries != around)) return unknown;
        tries = around;
        if (is_handled(model, &model->stmts.items[tries], w->stmt)) continue;
        Literal here = usual_literal(model, usual_given(model, &model->stmts.items[w->stmt], w->target));
        if (!here.kind || (all.kind && !usual_equal(&here, &all))) return unknown;
        all = here;
    }
    return tries && !imports_foreign(model, &model->stmts.items[tries]) ? all : unknown;
}

static void see_write(const SourceFile *file, FileId id, const Write *write, const Program *program,
                      Outside *seen) {
    ExprId given = usual_given(file->model, &file->model->stmts.items[write->stmt], write->target);
    Literal here = given ? usual_literal(file->model, given) : unknown;
    if (seen->given && here.kind) {
        Literal before = usual_literal(program->files.items[seen->file].model, seen->given);
        seen->differs |= !usual_equal(&before, &here);
    }
    seen->differs |= !here.kind;
    if (!seen->given) seen->file = id, seen->given = given;
}

void flow_find_outside(Arena *arena, const Inference *inference, AroundCalls *around) {
    const Program *program = inference->program;
    around->outside = arena_new(arena, Outside, program->names.texts.count + 1);
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        const Writes *writes = inference->writes[id];
        if (!writes || calls_is_test(inference->book, file)) continue;
        for (uint32_t i = 0; i < writes->count; i++)
            if (file->model->exprs.items[writes->items[i].target].kind == EXPR_ATTRIBUTE)
                see_write(file, id, &writes->items[i], program, &around->outside[writes->items[i].name]);
    }
}

Literal usual_from_outside(const Walk *walk, Sym name) {
    const Outside *seen = &walk->around_calls->outside[name];
    if (!seen->given || seen->differs) return unknown;
    return usual_literal(walk->inference->program->files.items[seen->file].model, seen->given);
}
