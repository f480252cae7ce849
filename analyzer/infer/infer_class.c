/* Classes, modules and names: where a name leads. Files given, then their project, then stubs; a body seen beats a
   stub, the torch package's stubs excepted. */
#include "interpret.h"
#include <stdlib.h>

GlobalFunc global_func(const Inference *inference, FileId file, FuncId func) {
    return inference->program->files.items[file].func_base + func;
}

const Value *not_yet(Eval *eval) {
    eval->context->met_bottom = true;
    return eval->inference->settling ? kind_value(eval, KIND_UNKNOWN) : NULL;
}

/* ---- classes ---- */

const ClassInfo *class_info(Inference *inference, GlobalClass class_id) {
    memo_ask(inference, class_id);
    return &inference->classes[class_id];
}

static const Class *class_of(const Inference *inference, GlobalClass id, const SourceFile **file) {
    *file = program_class_file(inference->program, id);
    return &(*file)->model->classes.items[id - (*file)->class_base];
}

/* With `left`, also where it leaves that to its subclasses. */
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

bool says_only(const Inference *inference, EntryId base) {
    Text name = rulebook_text(inference->book, inference->book->entries[base].qualified);
    return text_starts(name, TEXT("typing.")) || text_starts(name, TEXT("abc."));
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

/* A class of unknown ancestry, or none but ABC and the like, that says itself what forward does is a module: nothing
   else in this field does. */
static void classify(Inference *inference, GlobalClass id) {
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

/* `@LOSSES.register("dice")`: the decorators of the program are called with the class; what gives back another class
   than that is not followed. */
static const Value *decorated_class(Eval *eval, const Class *class_, const Value *value) {
    for (uint32_t i = class_->decorators.count; i > 0; i--) {
        ExprId id = eval->model->links.items[class_->decorators.first + i - 1];
        const Value *decorator = eval_expr(eval, id);
        if (!decorator || decorator->count != 1) continue;
        uint8_t kind = decorator->alts[0].kind;
        if (kind == KIND_FUNCTION || kind == KIND_INSTANCE)
            call_value(eval, id, decorator, &(Args){.values = {value}, .exprs = {id}, .count = 1});
    }
    return value;
}

const Value *eval_class(Eval *eval, ClassId class_id) {
    Inference *inference = eval->inference;
    const Class *class_ = &eval->model->classes.items[class_id];
    GlobalClass id = eval->file->class_base + class_id;
    ClassInfo *info = &inference->classes[id];
    const ClassInfo before = *info;
    uint32_t count = 0;
    bool other = false, same = true;
    for (uint32_t i = 0; i < class_->bases.count; i++) {
        ExprId base = eval->model->links.items[class_->bases.first + i];
        const Value *value = eval_expr(eval, base);
        if (eval->model->exprs.items[base].kind == EXPR_KEYWORD || count == BASES_MOST) continue;
        other |= count >= info->base_count || info->bases[count] != value;
        same &= count < info->base_count && value_same(info->bases[count], value);
        info->bases[count++] = value;
    }
    if (other || count != info->base_count) inference->families++;
    info->base_count = count;
    classify(inference, id);
    info->apart = (info->apart || !info->evaluated) && pays_apart(inference, id);
    info->evaluated = true;
    same &= count == before.base_count && info->is_module == before.is_module && info->apart == before.apart &&
            info->entry_base == before.entry_base;
    if (!same) info->changed_at = ++inference->classes_changed;
    ContextId body = context_for(eval, eval->file_id, class_->body, eval->func_id > 1 ? eval->id : 0,
                                 (const Value *[1]){NULL});
    add_edge(eval, 0, body, RATE_CALL);
    if (!inference->contexts.items[body]->evaluating) evaluate_context(inference, body, eval->depth + 1);
    const Value *value =
        value_of(&inference->values, (Alt){.kind = KIND_CLASS, .id = id, .confidence = CONFIDENCE_CERTAIN});
    return decorated_class(eval, class_, value);
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

bool is_module_alt(Eval *eval, const Alt *alt) {
    const Inference *inference = eval->inference;
    if (alt->kind == KIND_INSTANCE) return class_info(eval->inference, alt->id)->is_module == TRI_YES;
    if (alt->kind != KIND_OBJECT || !inference->known->module) return false;
    return rulebook_inherits(inference->book, alt->id, inference->known->module);
}

/* ---- modules ---- */

typedef struct Target {
    FileId file;
    EntryId entry;
} Target;

void run_module(Eval *eval, FileId file) {
    Inference *inference = eval->inference;
    ContextId id = context_for(eval, file, 1, 0, (const Value *[1]){NULL});
    const Context *context = inference->contexts.items[id];
    if (!context->evaluations && !context->evaluating) evaluate_context(inference, id, 1);
}

static Target resolve_module(Eval *eval, FileId importer, Text path) {
    const Inference *inference = eval->inference;
    Target target = {0};
    if (text_equal(path, TEXT("torch")) || text_starts(path, TEXT("torch."))) {
        target.entry = rulebook_find(inference->book, path);
        if (target.entry) return target;
    }
    Sym sym = names_find(&inference->program->names, path);
    if (sym) target.file = program_import(inference->program, importer, sym);
    if (target.file)
        run_module(eval, target.file);
    else
        target.entry = rulebook_find(inference->book, path);
    return target;
}

FileId import_source(Eval *eval, FileId importer, const Import *import) {
    const Inference *inference = eval->inference;
    return resolve_module(eval, importer,
                          program_import_name(inference->arena, inference->program, importer, import, false))
        .file;
}

static const Value *target_value(Eval *eval, Target target) {
    if (target.file)
        return value_of(&eval->inference->values,
                        (Alt){.kind = KIND_MODULE, .id = target.file, .confidence = CONFIDENCE_CERTAIN});
    if (target.entry) return bound_value(eval, 0, KIND_ENTRY, target.entry, NULL, CONFIDENCE_CERTAIN);
    return kind_value(eval, KIND_UNKNOWN);
}

static const Value *entry_child(Eval *eval, EntryId module, Sym name) {
    const Rulebook *book = eval->inference->book;
    EntryId child = child_of(eval->inference, module, sym_text(eval, name));
    if (!child) child = book->entries[module].fallback;
    if (!child) return kind_value(eval, KIND_UNKNOWN);
    if (book->entries[child].kind == ENTRY_VALUE) return apply_attribute(eval, 0, child, NULL);
    return bound_value(eval, 0, KIND_ENTRY, child, NULL, CONFIDENCE_CERTAIN);
}

/* Everything that a file's star imports lead to, through theirs too, in order and once each. */
typedef struct StarTarget {
    FileId file;
    EntryId entry;
} StarTarget;

struct Stars {
    bool known, visiting;
    VEC(StarTarget) targets;
    Sym *bound; /* names that the module's body binds, sorted */
    uint32_t bound_count;
    bool bound_known;
};

struct Stars *infer_stars(Arena *arena, uint32_t count) {
    return arena_new(arena, struct Stars, count);
}

static void add_target(Inference *inference, struct Stars *stars, StarTarget target) {
    for (uint32_t i = 0; i < stars->targets.count; i++)
        if (stars->targets.items[i].file == target.file && stars->targets.items[i].entry == target.entry)
            return;
    vec_push(inference->arena, &stars->targets, target);
}

static const struct Stars *stars_of(Eval *eval, FileId file_id) {
    Inference *inference = eval->inference;
    struct Stars *stars = &inference->stars[file_id];
    const SourceFile *file = &inference->program->files.items[file_id];
    if (stars->known || stars->visiting) return stars;
    stars->visiting = true;
    for (uint32_t i = 1; i < file->model->imports.count; i++) {
        const Import *import = &file->model->imports.items[i];
        if (!import->name || !text_equal(model_name(file->model, import->name), TEXT("*"))) continue;
        Target target = resolve_module(
            eval, file_id, program_import_name(inference->arena, inference->program, file_id, import, false));
        if (!target.file && !target.entry) continue;
        add_target(inference, stars, (StarTarget){target.file, target.entry});
        if (!target.file || target.file == file_id) continue;
        const struct Stars *further = stars_of(eval, target.file);
        for (uint32_t k = 0; k < further->targets.count; k++)
            add_target(inference, stars, further->targets.items[k]);
    }
    stars->visiting = false;
    stars->known = true;
    return stars;
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

/* Whether a name that a module has not been given yet may still come: from its own body, or from what it imports with a
   star. Nothing else will: it is unknown at once, and nobody has to look again. */
static bool may_come(Eval *eval, FileId file_id, Sym name) {
    Inference *inference = eval->inference;
    if (module_binds(inference, file_id, name)) return true;
    const struct Stars *stars = stars_of(eval, file_id);
    if (stars->visiting) return true;
    for (uint32_t i = 0; i < stars->targets.count; i++)
        if (stars->targets.items[i].file && module_binds(inference, stars->targets.items[i].file, name))
            return true;
    return false;
}

static Sym dotted_sym(const Eval *eval, Sym package, Sym name) {
    const Names *names = &eval->inference->program->names;
    Text left = names_text(names, package), right = sym_text(eval, name);
    char path[512];
    if (left.length + right.length + 2 >= sizeof path) return 0;
    memcpy(path, left.bytes, left.length);
    path[left.length] = '.';
    memcpy(path + left.length + 1, right.bytes, right.length);
    return names_find(names, (Text){path, left.length + 1 + right.length});
}

static const Value *namespace_value(Eval *eval, Sym dotted) {
    return value_of(&eval->inference->values,
                    (Alt){.kind = KIND_NAMESPACE, .id = dotted, .confidence = CONFIDENCE_CERTAIN});
}

static const Value *none_yet(Eval *eval, FileId file_id, Sym name) {
    if (may_come(eval, file_id, name)) return not_yet(eval);
    Sym folder = dotted_sym(eval, eval->inference->program->files.items[file_id].module, name);
    return folder ? namespace_value(eval, folder) : kind_value(eval, KIND_UNKNOWN);
}

static const Value *through_stars(Eval *eval, FileId file_id, Sym name) {
    Inference *inference = eval->inference;
    const struct Stars *stars = stars_of(eval, file_id);
    for (uint32_t i = 0; i < stars->targets.count; i++) {
        StarTarget target = stars->targets.items[i];
        const Value *value = NULL;
        if (target.file && target.file != file_id && module_binds(inference, target.file, name))
            value = store_read(inference, eval->id, store_slot(inference, STORE_GLOBAL, target.file, name));
        else if (target.entry && child_of(inference, target.entry, sym_text(eval, name)))
            value = entry_child(eval, target.entry, name);
        if (value) return value;
    }
    return NULL;
}

/* The file of a package's part, as the importer would find it; 0 = none. */
static FileId submodule(Eval *eval, FileId importer, Sym package, Sym name) {
    Sym sym = dotted_sym(eval, package, name);
    FileId child = sym ? program_import(eval->inference->program, importer, sym) : 0;
    if (child) run_module(eval, child);
    return child;
}

/* Of `import a.b.c`, a and a.b have names now even where they are folders without an __init__.py. */
static Sym name_packages(Eval *eval, Text path) {
    Names *names = (Names *)&eval->inference->program->names;
    Sym first = 0;
    for (uint32_t end = 0; end < path.length; end++) {
        if (path.bytes[end] != '.') continue;
        Sym part = names_intern(names, text_slice(path, 0, end));
        if (!first) first = part;
    }
    return first;
}

const Value *namespace_attribute(Eval *eval, Sym dotted, Sym name) {
    FileId child = submodule(eval, eval->file_id, dotted, name);
    if (child) return target_value(eval, (Target){.file = child});
    Sym deeper = dotted_sym(eval, dotted, name);
    return deeper ? namespace_value(eval, deeper) : kind_value(eval, KIND_UNKNOWN);
}

static const Value *module_member(Eval *eval, FileId file_id, Sym name) {
    Inference *inference = eval->inference;
    const Value *value = store_read(inference, eval->id, store_slot(inference, STORE_GLOBAL, file_id, name));
    if (value) return value;
    FileId child = submodule(eval, file_id, inference->program->files.items[file_id].module, name);
    if (child) return target_value(eval, (Target){.file = child});
    return through_stars(eval, file_id, name);
}

const Value *module_attribute(Eval *eval, FileId file, Sym name) {
    const Value *value = module_member(eval, file, name);
    return value ? value : none_yet(eval, file, name);
}

const Value *import_value(Eval *eval, const Import *import) {
    Inference *inference = eval->inference;
    Text path = program_import_name(inference->arena, inference->program, eval->file_id, import, false);
    if (!import->name) {
        Target target = resolve_module(eval, eval->file_id, path);
        if (import->alias) return target_value(eval, target);
        uint32_t dot = 0;
        while (dot < path.length && path.bytes[dot] != '.') dot++;
        Target top = resolve_module(eval, eval->file_id, text_slice(path, 0, dot));
        Sym first = target.file ? name_packages(eval, path) : 0;
        return first && !top.file && !top.entry ? namespace_value(eval, first) : target_value(eval, top);
    }
    Sym name = sym_of(eval, import->name);
    Target target = resolve_module(eval, eval->file_id, path);
    if (target.file && !(target.file == eval->file_id && import->dots))
        return module_attribute(eval, target.file, name);
    if (target.entry) return entry_child(eval, target.entry, name);
    Text whole = program_import_name(inference->arena, inference->program, eval->file_id, import, true);
    return target_value(eval, resolve_module(eval, eval->file_id, whole));
}

/* ---- names ---- */

/* What the module does not bind is not looked for in it: most of such names are built-ins. */
static const Value *read_global(Eval *eval, Sym name, bool bound) {
    Inference *inference = eval->inference;
    const Value *value = NULL;
    if (bound || inference->bound_outside)
        value = store_read(inference, eval->id, store_slot(inference, STORE_GLOBAL, eval->file_id, name));
    if (value) return value;
    value = through_stars(eval, eval->file_id, name);
    if (value) return value;
    if (inference->known->builtins && child_of(inference, inference->known->builtins, sym_text(eval, name)))
        return entry_child(eval, inference->known->builtins, name);
    return none_yet(eval, eval->file_id, name);
}

const Value *read_name(Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    Sym name = sym_of(eval, expr->name);
    if (expr->binding == BIND_LOCAL && expr->slot) {
        const Value *value = env_get(eval->env, expr->slot);
        if (value) return value;
        if (eval->func->kind == FUNC_CLASS_BODY) return read_global(eval, name, true);
        return eval->func_id == 1 ? read_global(eval, name, true) : not_yet(eval);
    }
    if (expr->binding == BIND_FREE && expr->func > 1) {
        const Value *value = store_read(eval->inference, eval->id, captured_slot(eval, expr->func, expr->slot));
        return value ? value : not_yet(eval);
    }
    return read_global(eval, name, expr->binding != BIND_GLOBAL || expr->slot);
}
