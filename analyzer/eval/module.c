/* Modules, names and class statements: resolves names through imports and star imports; runs imported modules. */
#include "module.h"
#include "apply.h"
#include "conventions.h"
#include "eval.h"
#include "parts.h"
#include "python_names.h"

typedef struct Target {
    FileId file;
    EntryId entry;
} Target;

/* `@LOSSES.register("dice")`: decorators of the program are called with the class; one that returns another
   class is ignored. */
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

/* `class Mask(Augment, way="mask"):` calls Augment.__init_subclass__ with the class, which often registers it. */
static void announce_class(Eval *eval, const Class *class_, const ClassInfo *info, const Value *value) {
    Args args = {0};
    ExprId at = class_->bases.count ? eval->model->links.items[class_->bases.first] : 0;
    for (uint32_t i = 0; i < class_->bases.count && args.named_count < ARGUMENTS; i++) {
        const Expr *given = &eval->model->exprs.items[eval->model->links.items[class_->bases.first + i]];
        if (given->kind != EXPR_KEYWORD || !given->name) continue;
        args.names[args.named_count] = eval->file->syms[given->name];
        args.named_exprs[args.named_count] = given->a;
        args.named[args.named_count++] = eval_expr(eval, given->a);
    }
    for (uint32_t b = 0; b < info->base_count; b++) {
        EntryId entry = 0;
        const Value *base = info->bases[b], *told = NULL;
        if (value_only(base, KIND_CLASS) && base->count == 1)
            told = class_member(eval, base->alts[0].id, eval->inference->known->init_subclass, &entry);
        for (uint32_t i = 0; told && i < told->count; i++)
            if (told->alts[i].kind == KIND_FUNCTION) call_function(eval, at, &told->alts[i], value, &args);
        if (told) return;
    }
}

/* `class Net(object):` is `class Net:`. */
static bool is_object(const FileModel *model, const Expr *base) {
    return base->kind == EXPR_NAME && base->binding == BIND_GLOBAL && !base->slot &&
           python_is(PY_object, model_name(model, base->name));
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
        const Expr *written = &eval->model->exprs.items[base];
        const Value *value = eval_expr(eval, base);
        if (written->kind == EXPR_KEYWORD || is_object(eval->model, written) || count == BASES_MOST) continue;
        other |= count >= info->base_count || info->bases[count] != value;
        same &= count < info->base_count && value_settled(info->bases[count], value);
        info->bases[count++] = value;
    }
    if (other || count != info->base_count) inference->families++;
    info->base_count = count;
    class_classify(inference, id);
    info->apart = (info->apart || !info->evaluated) && pays_apart(inference, id);
    info->evaluated = true;
    same &= count == before.base_count && info->is_module == before.is_module && info->apart == before.apart &&
            info->entry_base == before.entry_base;
    if (!same) info->changed_at = ++inference->classes_changed;
    ContextId body = context_for(eval, eval->file_id, class_->body, eval->func_id > 1 ? eval->id : 0,
                                 (const Value *[1]){NULL});
    add_edge(eval, 0, body, RATE_CALL);
    if (!inference->contexts.items[body]->evaluating) evaluate_context(inference, body, eval->depth + 1);
    const Value *value = value_of(&inference->values, (Alt){.kind = KIND_CLASS, .id = id});
    announce_class(eval, class_, info, value);
    return decorated_class(eval, class_, value);
}

static void run_module(Eval *eval, FileId file) {
    Inference *inference = eval->inference;
    ContextId id = context_for(eval, file, 1, 0, (const Value *[1]){NULL});
    const Context *context = inference->contexts.items[id];
    if (!context->evaluations && !context->evaluating) evaluate_context(inference, id, 1);
}

static Target resolve_module(Eval *eval, FileId importer, Text path) {
    const Inference *inference = eval->inference;
    Target target = {0};
    if (name_is(inference->book, NAMED_torch_module, path)) {
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

static FileId import_source(Eval *eval, FileId importer, const Import *import) {
    const Inference *inference = eval->inference;
    return resolve_module(eval, importer,
                          program_import_name(inference->arena, inference->program, importer, import, false))
        .file;
}

static const Value *target_value(Eval *eval, Target target) {
    if (target.file) return value_of(&eval->inference->values, (Alt){.kind = KIND_MODULE, .id = target.file});
    if (target.entry) return bound_value(eval, 0, KIND_ENTRY, target.entry, NULL, 0);
    return kind_value(eval, KIND_UNKNOWN);
}

static const Value *entry_child(Eval *eval, EntryId module, Sym name) {
    const Rulebook *book = eval->inference->book;
    EntryId child = child_of(eval->inference, module, sym_text(eval, name));
    if (!child) child = book->entries[module].fallback;
    if (!child) return kind_value(eval, KIND_UNKNOWN);
    if (book->entries[child].kind == ENTRY_VALUE) return apply_attribute(eval, 0, child, NULL);
    return bound_value(eval, 0, KIND_ENTRY, child, NULL, 0);
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
        stars_add(inference, stars, (StarTarget){target.file, target.entry});
        if (!target.file || target.file == file_id) continue;
        const struct Stars *further = stars_of(eval, target.file);
        for (uint32_t k = 0; k < further->targets.count; k++)
            stars_add(inference, stars, further->targets.items[k]);
    }
    stars->visiting = false;
    stars->known = true;
    return stars;
}

/* Whether a name that is not bound yet may still be: by the module's body, or through a star import. Otherwise
   it is unknown at once, and no reader is registered. */
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
    return value_of(&eval->inference->values, (Alt){.kind = KIND_NAMESPACE, .id = dotted});
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

/* The file of a submodule, as the importer would find it; 0 = none. */
static FileId submodule(Eval *eval, FileId importer, Sym package, Sym name) {
    Sym sym = dotted_sym(eval, package, name);
    FileId child = sym ? program_import(eval->inference->program, importer, sym) : 0;
    if (child) run_module(eval, child);
    return child;
}

/* `import a.b.c` binds names for a and a.b even if they are folders without an __init__.py. */
static Sym name_packages(Eval *eval, Text path) {
    Names *names = eval->inference->names;
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

/* A name that the module does not bind is not looked up in it: most such names are built-ins. */
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

/* A package without definitions of its own passes on what it imports: `from .resnet import *`, `from .resnet
   import resnet18`. */
static const Value *handed_on(Eval *eval, FileId file_id) {
    const SourceFile *file = &eval->inference->program->files.items[file_id];
    const Value *result = NULL;
    for (uint32_t i = 1; i < file->model->imports.count && !definitions_suffice(result); i++) {
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

/* Any function or class of the module, as a configuration selects; but none that another one of them uses. */
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

/* The library that a string names: importlib.import_module("torch"), or `import_module(name)` in a function
   that is passed "torch". */
static const Value *library_named(Eval *eval, const Value *name) {
    const Alt *alt = name && name->count == 1 ? &name->alts[0] : NULL;
    if (!alt || alt->kind != KIND_TEXT || !alt->id || (alt->flags & ALT_WIDE)) return NULL;
    EntryId entry = rulebook_find(eval->inference->book, sym_text(eval, alt->id));
    return entry ? bound_value(eval, 0, KIND_ENTRY, entry, NULL, 0) : NULL;
}

/* importlib.import_module("models." + name): a module whose name starts and ends so. A complete name is mostly
   for rare cases, and its caller knows less about the arguments than the names of the parameters tell. */
const Value *imported_by_name(Eval *eval, const Args *args) {
    const Program *program = eval->inference->program;
    if (!args->count) return kind_value(eval, KIND_UNKNOWN);
    const Value *library = library_named(eval, args->values[0]);
    if (library) return library;
    Text prefix = literal_part(eval, args->exprs[0], false), suffix = literal_part(eval, args->exprs[0], true);
    if (eval->model->exprs.items[args->exprs[0]].kind == EXPR_STRING) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    for (FileId file = 1; prefix.length && file < program->files.count && !definitions_suffice(result);
         file++) {
        Text module = names_text(&program->names, program->files.items[file].module);
        if (!completes_name(module, prefix, suffix)) continue;
        run_module(eval, file);
        Alt alt = {.kind = KIND_MODULE, .id = file, .belief = BELIEVED};
        result = join_values(eval, result, value_of(&eval->inference->values, alt));
    }
    return result ? result : kind_value(eval, KIND_UNKNOWN);
}
