/* Class hierarchies: which classes define a method, what a base class leaves to subclasses, what an unknown
   receiver may be. */
#include "construct.h"
#include "ahead.h"
#include "python.h"
#include "search.h"
#include <stdlib.h>

typedef struct Leaves {
    GlobalClass items[FEW];
    uint32_t count;
    bool many;
} Leaves;

enum { FAMILY_MOST = 64 };

static int by_name(const void *a, const void *b) {
    const Definer *left = a, *right = b;
    if (left->name != right->name) return left->name < right->name ? -1 : 1;
    return left->class_id < right->class_id ? -1 : left->class_id > right->class_id;
}

static void take_stub_names(Inference *inference, struct Methods *methods) {
    const Rulebook *book = inference->book;
    for (EntryId id = 1; id < book->entry_count; id++) {
        const Entry *entry = &book->entries[id];
        uint8_t owner = book->entries[entry->parent].kind; /* str and list are functions and classes at once */
        if (entry->kind != ENTRY_FUNCTION || (owner != ENTRY_CLASS && owner != ENTRY_FUNCTION)) continue;
        Sym name = names_find(&inference->program->names, rulebook_text(book, entry->name));
        if (name && name < methods->taken_count && !rulebook_is_hook(book, id)) methods->taken[name] = true;
    }
}

struct Methods *infer_methods(Inference *inference) {
    const Program *program = inference->program;
    struct Methods *methods = arena_new(inference->arena, struct Methods, 1);
    methods->definers = arena_new(inference->arena, Definer, program->func_count + 1);
    methods->taken_count = program->names.texts.count + 1;
    methods->taken = arena_new(inference->arena, bool, methods->taken_count);
    for (FileId f = 1; f < program->files.count; f++) {
        const SourceFile *file = &program->files.items[f];
        for (ClassId c = 1; c < file->model->classes.count; c++) {
            const Class *class_ = &file->model->classes.items[c];
            for (uint32_t i = 0; i < class_->methods.count; i++) {
                const Func *func =
                    &file->model->funcs.items[file->model->links.items[class_->methods.first + i]];
                if (text_starts(model_name(file->model, func->name), TEXT("__")) ||
                    is_abstract_method(file->model, func))
                    continue;
                methods->definers[methods->count++] = (Definer){file->syms[func->name], file->class_base + c};
            }
        }
    }
    qsort(methods->definers, methods->count, sizeof *methods->definers, by_name);
    take_stub_names(inference, methods);
    return methods;
}

void link_subclasses(Inference *inference) {
    struct Methods *methods = inference->methods;
    uint32_t count = inference->program->class_count + 1;
    methods->child = arena_new(inference->arena, uint32_t, count);
    vec_push(inference->arena, &methods->edges, (Edge){0});
    for (GlobalClass id = 1; id < count; id++) {
        const ClassInfo *info = &inference->classes[id];
        for (uint32_t i = 0; i < info->base_count; i++)
            for (uint32_t a = 0; info->bases[i] && a < info->bases[i]->count; a++) {
                const Alt *base = &info->bases[i]->alts[a];
                if (base->kind != KIND_CLASS || base->id == id) continue;
                Edge edge = {.class_id = id, .next = methods->child[base->id]};
                methods->child[base->id] = methods->edges.count;
                vec_push(inference->arena, &methods->edges, edge);
                break;
            }
    }
}

static void add_leaves(const struct Methods *methods, GlobalClass id, uint32_t depth, Leaves *leaves) {
    if (methods->child[id] && depth < 16) {
        for (uint32_t e = methods->child[id]; e && !leaves->many; e = methods->edges.items[e].next)
            add_leaves(methods, methods->edges.items[e].class_id, depth + 1, leaves);
        return;
    }
    for (uint32_t i = 0; i < leaves->count; i++)
        if (leaves->items[i] == id) return;
    if (leaves->count == FEW)
        leaves->many = true;
    else
        leaves->items[leaves->count++] = id;
}

const Value *subclass_instance(Eval *eval, ExprId expr, GlobalClass id) {
    Alt alt = {.kind = KIND_INSTANCE, .id = id, .belief = BELIEVED};
    if (class_info(eval->inference, id)->is_module == TRI_YES) {
        alt.device = DEVICE_CUDA;
        alt.origin = origin_of(eval, ORIGIN_MODEL, expr, 0);
    }
    return value_of(&eval->inference->values, alt);
}

uint32_t first_definer(const struct Methods *methods, Sym name, GlobalClass from) {
    Definer wanted = {name, from};
    uint32_t low = 0, high = methods->count;
    LOWER_BOUND(low, high, by_name(&methods->definers[middle], &wanted) < 0);
    return low;
}

bool method_named(const Inference *inference, Sym name) {
    const struct Methods *methods = inference->methods;
    uint32_t first = first_definer(methods, name, 0);
    return first < methods->count && methods->definers[first].name == name;
}

static bool defines(const struct Methods *methods, Sym name, GlobalClass id) {
    uint32_t at = first_definer(methods, name, id);
    return at < methods->count && methods->definers[at].name == name && methods->definers[at].class_id == id;
}

/* The subclasses of `id` that define the method themselves. */
void subclasses_below(const struct Methods *methods, GlobalClass id, uint32_t depth, Below *below) {
    for (uint32_t e = methods->child[id]; e && !below->many; e = methods->edges.items[e].next) {
        GlobalClass c = methods->edges.items[e].class_id;
        bool says = defines(methods, below->name, c), again = false;
        for (uint32_t i = 0; i < below->count; i++) again |= below->items[i] == c;
        if (++below->seen > 8 * DEFINERS || depth > 16 || below->count == DEFINERS) below->many = true;
        if (says && !again && !below->many) below->items[below->count++] = c;
        if (!below->many) subclasses_below(methods, c, depth + 1, below);
    }
}

bool subclass_is_told(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_UNKNOWN || alt->kind == KIND_CONTAINER) return false;
        if (alt->kind == KIND_TENSOR && alt->device != DEVICE_CUDA) return false;
    }
    return value != NULL;
}

/* Methods that an instance of that class stored, without the instance: `self.run = self.fast if fast else
   self.slow`. Any other value becomes unknown. */
static const Value *own_methods(Eval *eval, GlobalClass id, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        const Value *self = alts[i].kind == KIND_FUNCTION ? bound_receiver(eval, &alts[i]) : NULL;
        if (!self || self->alts[0].kind != KIND_INSTANCE || self->alts[0].id != id)
            return kind_value(eval, KIND_UNKNOWN);
        alts[i].object = 0;
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

static const Value *kept_below(Eval *eval, GlobalClass id, Sym name, uint32_t depth, uint32_t *seen) {
    const struct Methods *methods = eval->inference->methods;
    const Value *result = NULL;
    for (uint32_t e = methods->child[id]; e; e = methods->edges.items[e].next) {
        GlobalClass c = methods->edges.items[e].class_id;
        if (++*seen > FAMILY_MOST || depth > 16) return NULL;
        result = join_values(eval, result, own_methods(eval, c, own_member(eval, c, name)));
        result = join_values(eval, result, kept_below(eval, c, name, depth + 1, seen));
    }
    return result;
}

/* A base class's constructor runs through super().__init__() only, so what it stores belongs to subclasses.
   Whoever calls a method of the base has an instance of some subclass, which likely stores one of these
   methods. */
const Value *kept_by_subclasses(Eval *eval, const Alt *instance, Sym name) {
    Inference *inference = eval->inference;
    eval->context->met_unknown = true;
    if (!inference->guessing || !inference->methods->child[instance->id]) return NULL;
    uint32_t seen = 0;
    const Value *kept = kept_below(eval, instance->id, name, 0, &seen);
    if (seen > FAMILY_MOST || value_has(kept, KIND_UNKNOWN)) return NULL;
    return value_believed(&inference->values, kept, BELIEVED);
}

/* A body of only `return None`: for subclasses to override. */
static bool gives_nothing(const FileModel *model, const Func *func) {
    if (!func->class_id || !func->body.count) return false;
    for (uint32_t i = 0; i < func->body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[func->body.first + i]];
        bool none = stmt->kind == STMT_RETURN && (!stmt->a || model->exprs.items[stmt->a].kind == EXPR_NONE);
        if (!does_nothing(model, stmt) && !none) return false;
        if (none) return i + 1 == func->body.count;
    }
    return false;
}

/* A method that a base class calls on itself, in a class that nobody instantiates: `self.fit()`. Its objects are of
   subclasses, so what those define as fit is called as well. */
bool filled_by_subclasses(const Eval *eval, const SourceFile *file, const Func *func) {
    if (!func->class_id || !func->body.count || !func->name) return false;
    if (text_starts(model_name(file->model, func->name), TEXT("__"))) return false;
    return !makers_of(eval->inference, file->syms[file->model->classes.items[func->class_id].name]);
}

/* If the receiver may be of a subclass that overrides such a method, the result is unknown. */
bool left_open(Eval *eval, const FileModel *model, const Func *func, Sym name, const Value *self) {
    const struct Methods *methods = eval->inference->methods;
    if (!gives_nothing(model, func)) return false;
    for (uint32_t i = 0; self && i < self->count; i++) {
        const Alt *alt = &self->alts[i];
        if (alt->kind != KIND_INSTANCE || alt->object) continue;
        eval->context->met_unknown = true;
        if (!eval->inference->guessing) continue;
        Below below = {.name = name};
        subclasses_below(methods, alt->id, 0, &below);
        if (below.count || below.many) return true;
    }
    return false;
}

static bool leads_elsewhere(const Eval *eval, const Import *import) {
    const Program *program = eval->inference->program;
    Text module = model_name(eval->model, import->module);
    uint32_t end = 0;
    while (end < module.length && module.bytes[end] != '.') end++;
    Sym top = names_find(&program->names, text_slice(module, 0, end));
    return !import->dots && end && !(top && program_import(program, eval->file_id, top));
}

/* `Calculator.calculate(self, atoms)` with `Calculator` from an unknown package: the object is none of the
   program's. */
static bool is_of_elsewhere(const Eval *eval, ExprId call) {
    const FileModel *model = eval->model;
    const Expr *root = &model->exprs.items[model->exprs.items[call].a];
    while (root->kind == EXPR_ATTRIBUTE) root = &model->exprs.items[root->a];
    bool local = root->kind == EXPR_NAME && root->binding == BIND_LOCAL;
    for (uint32_t i = 1; root->kind == EXPR_NAME && i < model->imports.count; i++) {
        ExprId target = model->imports.items[i].target;
        bool same = target && model->exprs.items[target].name == root->name;
        bool here = target >= eval->func->first_expr && target < eval->func->end_expr;
        if (same && (here || !local)) return leads_elsewhere(eval, &model->imports.items[i]);
    }
    return false;
}

const Value *guessed_receiver(Eval *eval, ExprId expr, Sym name) {
    const struct Methods *methods = eval->inference->methods;
    if (name < methods->taken_count && methods->taken[name]) return NULL;
    if (is_container_method(eval->inference->book, sym_text(eval, name))) return NULL;
    uint32_t low = first_definer(methods, name, 0);
    if (low == methods->count || methods->definers[low].name != name) return NULL;
    if (is_of_elsewhere(eval, expr)) return NULL;
    eval->context->met_unknown = true;
    if (!eval->inference->guessing) return NULL;
    Leaves leaves = {0};
    for (; low < methods->count && methods->definers[low].name == name && !leaves.many; low++)
        add_leaves(methods, methods->definers[low].class_id, 0, &leaves);
    const Value *result = NULL;
    for (uint32_t i = 0; !leaves.many && i < leaves.count; i++)
        result = join_values(eval, result, subclass_instance(eval, expr, leaves.items[i]));
    return result;
}
