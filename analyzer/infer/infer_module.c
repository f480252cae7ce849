/* Modules and what is in them, picked by a name that the program computes: models.__dict__[args.arch], globals()[name],
   getattr(losses, cfg.loss), importlib.import_module("models." + name). */
#include "interpret.h"

static bool is_private(const FileModel *model, NameId name) {
    return text_starts(model_name(model, name), TEXT("_"));
}

/* `models.cnn` begins with "models." and ends with "": one more name, no further dot. */
static bool completes(Text module, Text prefix, Text suffix) {
    if (prefix.bytes[prefix.length - 1] != '.' && !suffix.length) return false;
    if (module.length <= prefix.length + suffix.length || !text_starts(module, prefix) ||
        !text_ends(module, suffix))
        return false;
    for (uint32_t i = prefix.length; i < module.length - suffix.length; i++)
        if (module.bytes[i] == '.') return false;
    return true;
}

/* The name of a function or class that stands in the module itself; 0 = of something else. */
static NameId defined_name(const FileModel *model, const Stmt *stmt) {
    if (stmt->kind == STMT_FUNCTION) {
        const Func *func = &model->funcs.items[stmt->func];
        return func->parent == 1 && !func->class_id ? func->name : 0;
    }
    if (stmt->kind != STMT_CLASS) return 0;
    const Class *class_ = &model->classes.items[stmt->class_id];
    return class_->parent == 1 ? class_->name : 0;
}

/* [NameId]: called in the module by something else than what it names, as the dataset is that a loader makes. */
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

/* Where there are more, these speak for all. */
static bool are_enough(const Value *value) { return value && value->count >= VALUE_ALTS; }

static const Value *definitions(Eval *eval, FileId file_id, const bool *without) {
    Inference *inference = eval->inference;
    const SourceFile *file = &inference->program->files.items[file_id];
    const Value *result = NULL;
    for (StmtId s = 1; s < file->model->stmts.count && !are_enough(result); s++) {
        NameId name = defined_name(file->model, &file->model->stmts.items[s]);
        if (!name || (without && (without[name] || is_private(file->model, name)))) continue;
        SlotId slot = store_slot(inference, STORE_GLOBAL, file_id, file->syms[name]);
        result = join_values(eval, result, store_read(inference, eval->id, slot));
    }
    return result;
}

static const Value *own_definition(Eval *eval, FileId file_id) {
    const FileModel *model = eval->inference->program->files.items[file_id].model;
    const Value *whole = definitions(eval, file_id, find_parts(eval, model));
    return whole ? whole : definitions(eval, file_id, NULL);
}

/* `from .resnet import *`, `from .resnet import resnet18`: a package that defines nothing itself hands on what is there. */
static const Value *handed_on(Eval *eval, FileId file_id) {
    const SourceFile *file = &eval->inference->program->files.items[file_id];
    const Value *result = NULL;
    for (uint32_t i = 1; i < file->model->imports.count && !are_enough(result); i++) {
        const Import *import = &file->model->imports.items[i];
        if (!import->name) continue;
        FileId from = import_source(eval, file_id, import);
        if (!from || from == file_id) continue;
        bool all = text_equal(model_name(file->model, import->name), TEXT("*"));
        const Value *value =
            all ? own_definition(eval, from) : module_attribute(eval, from, file->syms[import->name]);
        if (value_only(value, KIND_FUNCTION) || value_only(value, KIND_CLASS))
            result = join_values(eval, result, value);
    }
    return result;
}

/* A function or class of the module: which one, a configuration says, and none that is a part of another. */
const Value *any_definition(Eval *eval, FileId file_id) {
    const Value *own = own_definition(eval, file_id);
    return own ? own : handed_on(eval, file_id);
}

/* models.__dict__[name], globals()[name] */
const Value *module_item(Eval *eval, const Alt *module, const Value *index, ExprId index_expr) {
    bool literal = index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id;
    return literal ? module_attribute(eval, module->id, index->alts[0].id)
                   : any_attribute(eval, alt_value(eval, module), index_expr);
}

const Value *own_module(Eval *eval) {
    return value_of(&eval->inference->values,
                    (Alt){.kind = KIND_MODULE, .id = eval->file_id, .confidence = CONFIDENCE_CERTAIN});
}

/* importlib.import_module("models." + name): one of the modules whose names begin and end so. A whole name is for what is
   seldom wanted, and its caller knows less of what it passes than the names of the parameters say. */
const Value *imported_by_name(Eval *eval, const Args *args) {
    const Program *program = eval->inference->program;
    if (!args->count) return kind_value(eval, KIND_UNKNOWN);
    Text prefix = literal_part(eval, args->exprs[0], false), suffix = literal_part(eval, args->exprs[0], true);
    if (eval->model->exprs.items[args->exprs[0]].kind == EXPR_STRING) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    for (FileId file = 1; prefix.length && file < program->files.count && !are_enough(result); file++) {
        Text module = names_text(&program->names, program->files.items[file].module);
        if (!completes(module, prefix, suffix)) continue;
        run_module(eval, file);
        Alt alt = {.kind = KIND_MODULE, .id = file, .confidence = CONFIDENCE_LIKELY};
        result = join_values(eval, result, value_of(&eval->inference->values, alt));
    }
    return result ? result : kind_value(eval, KIND_UNKNOWN);
}
