/* Classes of the program: bases, whether one is an nn.Module, what it leaves to subclasses; names from star
   imports. */
#include "memo.h"
#include "python_names.h"
#include <stdlib.h>

enum { STARS_SEARCHED = 16 }; /* targets of one module; with more, a table is used */

const ClassInfo *class_info(Inference *inference, GlobalClass class_id) {
    memo_ask(inference, class_id);
    return &inference->classes[class_id];
}

static const Class *class_of(const Inference *inference, GlobalClass id, const SourceFile **file) {
    *file = program_class_file(inference->program, id);
    return &(*file)->model->classes.items[id - (*file)->class_base];
}

/* With `left`, also where the method is left to subclasses. */
static bool defines_forward(const Inference *inference, GlobalClass id, bool left) {
    const SourceFile *file;
    const Class *class_ = class_of(inference, id, &file);
    for (uint32_t i = 0; i < class_->methods.count; i++) {
        const Func *method = &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
        if (file->syms[method->name] == inference->known->forward)
            return left || !left_to_subclasses(file->model, method);
    }
    return false;
}

static void note_base(Inference *inference, ClassInfo *info, const Alt *base, bool *unknown) {
    const Known *known = inference->known;
    if (base->kind == KIND_ENTRY) {
        bool says = says_only(inference, base->id);
        *unknown |= says;
        if (!info->entry_base && !says) info->entry_base = base->id;
        if (known->module && rulebook_inherits(inference->book, base->id, known->module))
            info->is_module = TRI_YES;
    } else if (base->kind == KIND_CLASS) {
        const ClassInfo *up = &inference->classes[base->id];
        if (up->is_module == TRI_YES) info->is_module = TRI_YES;
        if (up->is_module == TRI_UNKNOWN) *unknown = true;
        if (!info->entry_base) info->entry_base = up->entry_base;
    } else if (base->kind == KIND_UNKNOWN) {
        *unknown = true;
    }
}

static bool unseen_base(const Inference *inference, const ClassInfo *info, uint32_t depth) {
    for (uint32_t i = 0; i < info->base_count; i++)
        for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count && depth < 16; a++) {
            const Alt *base = &info->bases[i]->alts[a];
            if (base->kind == KIND_UNKNOWN) return true;
            if (base->kind == KIND_CLASS && unseen_base(inference, &inference->classes[base->id], depth + 1))
                return true;
        }
    return false;
}

bool class_is_foreign(const Inference *inference, GlobalClass id) {
    const ClassInfo *info = &inference->classes[id];
    return info->entry_base || unseen_base(inference, info, 0);
}

/* A class of unknown ancestry (or with no base but ABC and the like) that defines forward itself is a module:
   in this field nothing else does. */
void class_classify(Inference *inference, GlobalClass id) {
    ClassInfo *info = &inference->classes[id];
    bool unknown = false;
    info->is_module = TRI_NO;
    for (uint32_t i = 0; i < info->base_count; i++)
        for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++)
            note_base(inference, info, &info->bases[i]->alts[a], &unknown);
    if (info->is_module == TRI_NO && unknown)
        info->is_module =
            defines_forward(inference, id, unseen_base(inference, info, 0)) ? TRI_YES : TRI_UNKNOWN;
}

static bool inherits_along(Inference *inference, GlobalClass class_id, EntryId base, uint32_t depth) {
    const ClassInfo *info = class_info(inference, class_id);
    for (uint32_t i = 0; depth < 16 && i < info->base_count; i++)
        for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++) {
            const Alt *alt = &info->bases[i]->alts[a];
            if (alt->kind == KIND_ENTRY && rulebook_inherits(inference->book, alt->id, base)) return true;
            if (alt->kind == KIND_CLASS && alt->id != class_id &&
                inherits_along(inference, alt->id, base, depth + 1))
                return true;
        }
    return info->is_module == TRI_YES && base == inference->known->module;
}

bool class_inherits(Inference *inference, GlobalClass class_id, EntryId base) {
    return inherits_along(inference, class_id, base, 0);
}

bool is_optimizer_alt(const Inference *inference, const Alt *alt) {
    EntryId optimizer = inference->known->optimizer;
    EntryId kind = alt->kind == KIND_OBJECT     ? alt->id
                   : alt->kind == KIND_INSTANCE ? inference->classes[alt->id].entry_base
                                                : 0;
    return kind && optimizer && rulebook_inherits(inference->book, kind, optimizer);
}

bool is_module_alt(Eval *eval, const Alt *alt) {
    const Inference *inference = eval->inference;
    if (alt->kind == KIND_INSTANCE) return class_info(eval->inference, alt->id)->is_module == TRI_YES;
    if (alt->kind != KIND_OBJECT || !inference->known->module) return false;
    return rulebook_inherits(inference->book, alt->id, inference->known->module);
}

struct Stars *infer_stars(Arena *arena, uint32_t count) {
    return arena_new(arena, struct Stars, count);
}

static bool has_star(const struct Stars *stars, StarTarget target) {
    if (target.file && stars->files) return stars->files[target.file / 8] >> target.file % 8 & 1;
    for (uint32_t i = 0; i < stars->targets.count; i++)
        if (stars->targets.items[i].file == target.file && stars->targets.items[i].entry == target.entry)
            return true;
    return false;
}

/* Lists are long where modules import one another with stars. */
void stars_add(Inference *inference, struct Stars *stars, StarTarget target) {
    if (has_star(stars, target)) return;
    vec_push(inference->arena, &stars->targets, target);
    if (stars->files) stars->files[target.file / 8] |= (uint8_t)(1 << target.file % 8);
    if (stars->files || stars->targets.count < STARS_SEARCHED) return;
    stars->files = arena_new(inference->arena, uint8_t, inference->program->files.count / 8 + 1);
    for (uint32_t i = 0; i < stars->targets.count; i++)
        stars->files[stars->targets.items[i].file / 8] |= (uint8_t)(1 << stars->targets.items[i].file % 8);
}

static int by_sym(const void *a, const void *b) {
    Sym left = *(const Sym *)a, right = *(const Sym *)b;
    return left < right ? -1 : left > right;
}

bool module_binds(Inference *inference, FileId file_id, Sym name) {
    struct Stars *stars = &inference->stars[file_id];
    const SourceFile *file = &inference->program->files.items[file_id];
    if (!stars->bound_known) {
        const Func *body = &file->model->funcs.items[1];
        stars->bound = arena_new(inference->arena, Sym, body->local_count + 1);
        for (uint32_t i = 0; i < body->local_count; i++)
            stars->bound[stars->bound_count++] =
                file->syms[file->model->locals.items[body->first_local + i].name];
        qsort(stars->bound, stars->bound_count, sizeof *stars->bound, by_sym);
        stars->bound_known = true;
    }
    return bsearch(&name, stars->bound, stars->bound_count, sizeof name, by_sym) != NULL;
}

static bool is_literal(const Expr *expr) {
    return (expr->kind >= EXPR_TRUE && expr->kind <= EXPR_ELLIPSIS) || expr->kind == EXPR_STRING ||
           expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT;
}

bool does_nothing(const FileModel *model, const Stmt *stmt) {
    if (stmt->kind == STMT_EXPR) return is_literal(&model->exprs.items[stmt->a]);
    if (stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return stmt->kind == STMT_PASS;
    const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
    return target->kind == EXPR_NAME && target->binding == BIND_LOCAL && stmt->b &&
           is_literal(&model->exprs.items[stmt->b]);
}

/* def f(self): pass, or only a docstring, or raise NotImplementedError: subclasses must define it. */
bool is_abstract_method(const FileModel *model, const Func *func) {
    if (func_is_unread(func)) return false;
    for (uint32_t i = 0; i < func->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[func->body.first + i]];
        if (!does_nothing(model, stmt) && stmt->kind != STMT_RAISE) return false;
    }
    return true;
}

/* A method explicitly left to subclasses: its body is `...` or a raise, or it is an @abstractmethod. */
bool left_to_subclasses(const FileModel *model, const Func *func) {
    if (!func->class_id || !func->body.count || !is_abstract_method(model, func)) return false;
    const Stmt *last = model_last(model, func->body);
    bool dots = last->kind == STMT_EXPR && model->exprs.items[last->a].kind == EXPR_ELLIPSIS;
    if (dots || last->kind == STMT_RAISE) return true;
    for (uint32_t i = 0; i < func->decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[func->decorators.first + i]];
        bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
        if (named && text_starts(model_name(model, expr->name), python_text(PY_abstract))) return true;
    }
    return false;
}
