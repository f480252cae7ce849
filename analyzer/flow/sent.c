/* How what is sent to the GPU came about: as its text shows it, what inference knows of it, and what binds it. */
#include "sent.h"
#include "python_names.h"

/* Something else than a tensor is asked for what is sent: `buffer.sample(9).to(d)`. */
static bool is_handed(const Inference *inference, FileId file, ContextId context, ExprId root) {
    const FileModel *model = inference->program->files.items[file].model;
    const Value *value = context ? infer_fact(inference->contexts.items[context], model, root) : NULL;
    bool other = value && value->count;
    for (uint32_t i = 0; other && i < value->count; i++)
        other = value->alts[i].kind == KIND_INSTANCE || value->alts[i].kind == KIND_MODULE;
    return other;
}

/* Some constructor binds an attribute of that name, and no other function does. */
static bool is_of_constructors(const Inference *inference, Sym name) {
    bool some = false;
    for (FileId file = 1; file < inference->program->files.count; file++) {
        const FileModel *model = inference->program->files.items[file].model;
        const Writes *writes = inference->writes[file];
        for (const Write *w = writes ? writes_of_name(writes, name) : NULL; w; w = write_next(writes, w)) {
            if (model->exprs.items[w->target].kind != EXPR_ATTRIBUTE) continue;
            if (!python_is(PY___init__, model_name(model, model->funcs.items[w->func].name))) return false;
            some = true;
        }
    }
    return some;
}

/* `self.grid.to(x.device)` in a method of a module, which has had that tensor since it was made. */
static bool is_owned(const Inference *inference, FileId file, ExprId expr) {
    const SourceFile *source = &inference->program->files.items[file];
    const FileModel *model = source->model;
    const Expr *callee = &model->exprs.items[model->exprs.items[expr].a],
               *sent = &model->exprs.items[callee->a];
    if (model->exprs.items[expr].kind != EXPR_CALL || callee->kind != EXPR_ATTRIBUTE) return false;
    const Expr *self = &model->exprs.items[sent->kind == EXPR_ATTRIBUTE ? sent->a : 0];
    FuncId func = model_func_of(model, expr);
    ClassId own = model->funcs.items[func].class_id;
    return own && self->kind == EXPR_NAME && python_is(PY_self, model_name(model, self->name)) &&
           inference->classes[source->class_base + own].is_module == TRI_YES &&
           is_of_constructors(inference, source->syms[sent->name]);
}

bool sent_by_elements(const Inference *inference, FileId file, ContextId context, ExprId expr) {
    const FileModel *model = inference->program->files.items[file].model;
    const Expr *call = &model->exprs.items[expr];
    const Expr *made = &model->exprs.items[call->list.count ? model->links.items[call->list.first] : 0];
    bool listed = call->kind == EXPR_CALL && (made->kind == EXPR_LIST_COMP || made->kind == EXPR_GENERATOR);
    for (uint32_t i = 0; context && listed && i < made->list.count; i++) {
        const Expr *clause = &model->exprs.items[model->links.items[made->list.first + i]];
        const Value *over = clause->kind == EXPR_COMP_FOR
                                ? infer_fact(inference->contexts.items[context], model, clause->b)
                                : NULL;
        for (uint32_t a = 0; over && a < over->count; a++)
            if (over->alts[a].kind == KIND_TENSOR && over->alts[a].device == DEVICE_CUDA) return true;
    }
    return false;
}

Word sent_purpose(const Inference *inference, FileId file, ContextId context, ExprId expr,
                  const PurposeAsked *asked) {
    ExprId root;
    Word purpose = purpose_sent(asked, expr, &root);
    if (purpose == PURPOSE_converted && is_handed(inference, file, context, root)) return PURPOSE_handed;
    return !purpose && is_owned(inference, file, expr) ? PURPOSE_owned : purpose;
}
