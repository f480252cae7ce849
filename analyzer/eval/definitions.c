/* The definitions of a module that a computed name may select: models.__dict__[args.arch], globals()[name]. */
#include "parts.h"

static bool is_private(const FileModel *model, NameId name) {
    return text_starts(model_name(model, name), TEXT("_"));
}

/* `models.cnn` starts with "models." and ends with "": exactly one further name. */
bool completes_name(Text module, Text prefix, Text suffix) {
    if (prefix.bytes[prefix.length - 1] != '.' && !suffix.length) return false;
    if (module.length <= prefix.length + suffix.length || !text_starts(module, prefix) ||
        !text_ends(module, suffix))
        return false;
    for (uint32_t i = prefix.length; i < module.length - suffix.length; i++)
        if (module.bytes[i] == '.') return false;
    return true;
}

/* The name of a function or class defined at module level; 0 = another statement. */
static NameId defined_name(const FileModel *model, const Stmt *stmt) {
    if (stmt->kind == STMT_FUNCTION) {
        const Func *func = &model->funcs.items[stmt->func];
        return func->parent == 1 && !func->class_id ? func->name : 0;
    }
    if (stmt->kind != STMT_CLASS) return 0;
    const Class *class_ = &model->classes.items[stmt->class_id];
    return class_->parent == 1 ? class_->name : 0;
}

/* [NameId]: used by another function of the module, as a dataset is by the loader that it makes. */
static const bool *find_parts(Eval *eval, const FileModel *model) {
    bool *parts = arena_new(eval->scratch, bool, model->names.count + 1);
    Span *spans = arena_new(eval->scratch, Span, model->names.count + 1);
    for (StmtId s = 1; s < model->stmts.count; s++)
        spans[defined_name(model, &model->stmts.items[s])] = model->stmts.items[s].span;
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        if (call->kind != EXPR_CALL || callee->kind != EXPR_NAME) continue;
        const Span *own = &spans[callee->name];
        parts[callee->name] |= call->span.start < own->start || call->span.end > own->end;
    }
    return parts;
}

/* A value has no room for more alternatives. */
bool definitions_suffice(const Value *value) { return value && value->count >= VALUE_ALTS; }

static const Value *definitions(Eval *eval, FileId file_id, const bool *without) {
    Inference *inference = eval->inference;
    const SourceFile *file = &inference->program->files.items[file_id];
    const Value *result = NULL;
    for (StmtId s = 1; s < file->model->stmts.count && !definitions_suffice(result); s++) {
        NameId name = defined_name(file->model, &file->model->stmts.items[s]);
        if (!name || (without && (without[name] || is_private(file->model, name)))) continue;
        SlotId slot = store_slot(inference, STORE_GLOBAL, file_id, file->syms[name]);
        result = join_values(eval, result, store_read(inference, eval->id, slot));
    }
    return result;
}

const Value *own_definition(Eval *eval, FileId file_id) {
    const FileModel *model = eval->inference->program->files.items[file_id].model;
    const Value *whole = definitions(eval, file_id, find_parts(eval, model));
    return whole ? whole : definitions(eval, file_id, NULL);
}

const Value *own_module(Eval *eval) {
    return value_of(&eval->inference->values, (Alt){.kind = KIND_MODULE, .id = eval->file_id});
}
