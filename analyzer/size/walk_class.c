/* Classes, instances, attributes, modules; asks inference where nothing is known here. */
#include "sizer.h"
#include "python_names.h"

Thing size_bound(Sizes *self, Thing receiver, Thing callee) {
    struct BoundThing *made = arena_new(self->arena, struct BoundThing, 1);
    *made = (struct BoundThing){.receiver = receiver, .callee = callee};
    return (Thing){.kind = THING_BOUND, .bound = made};
}

/* ---- modules ---- */

Scope *size_module(Sizes *self, FileId file) {
    if (self->module_runs[file] || !file) return self->modules[file];
    const SourceFile *source = &self->inference->program->files.items[file];
    self->module_runs[file] = 1;
    if (source->model->funcs.count < 2) return NULL;
    Scope *scope = self->modules[file] = size_scope(self, file, 1);
    bool recording = self->recording, in_rules = self->in_rules;
    uint32_t maybe = self->maybe, depth = self->depth, turning = self->turning, unrolled = self->unrolled;
    self->recording = self->in_rules = false, self->maybe = 0, self->depth = 0, self->turning = 0,
    self->unrolled = 1;
    size_exec_block(self, scope, source->model->funcs.items[1].body);
    self->recording = recording, self->in_rules = in_rules;
    self->maybe = maybe, self->depth = depth, self->turning = turning, self->unrolled = unrolled;
    return scope;
}

/* ---- classes ---- */

static void find_bases(Sizes *self, ClassThing *class_, Scope *scope, List bases) {
    for (uint32_t i = 0; scope && i < bases.count && class_->base_count < CLASS_BASES; i++) {
        ExprId id = scope->model->links.items[bases.first + i];
        if (scope->model->exprs.items[id].kind == EXPR_KEYWORD) continue;
        Thing base = size_eval(self, scope, id);
        class_->bases[class_->base_count++] = base;
        if (class_->entry) continue;
        if (base.kind == THING_API) class_->entry = base.id;
        if (base.kind == THING_CLASS) class_->entry = base.class_->entry;
    }
}

ClassThing *size_class(Sizes *self, FileId file, ClassId id, Scope *around) {
    ClassThing **known = file ? &self->classes[self->inference->program->files.items[file].class_base + id]
                              : &self->rule_classes[id];
    if (*known) return *known;
    ClassThing *made = *known = arena_new(self->arena, ClassThing, 1);
    const FileModel *model = file ? self->inference->program->files.items[file].model : self->rules->model;
    *made = (ClassThing){.file = file, .class_id = id, .around = around};
    if (!around) made->around = file ? size_module(self, file) : self->rule_scope;
    find_bases(self, made, made->around, model->classes.items[id].bases);
    return made;
}

static Scope *class_body(Sizes *self, ClassThing *class_) {
    if (class_->body || class_->running) return class_->body;
    class_->running = true;
    const FileModel *model =
        class_->file ? self->inference->program->files.items[class_->file].model : self->rules->model;
    FuncId body = model->classes.items[class_->class_id].body;
    Scope *scope = size_scope(self, class_->file, body);
    scope->around = class_->around;
    scope->class_ = class_;
    size_exec_block(self, scope, model->funcs.items[body].body);
    return class_->body = scope;
}

static bool member_of_class(Sizes *self, ClassThing *class_, Text name, Thing *out) {
    Scope *body = class_body(self, class_);
    if (!body) return false;
    const Func *func = &body->model->funcs.items[body->func];
    for (uint32_t slot = 1; slot <= func->local_count; slot++) {
        const Local *local = &body->model->locals.items[func->first_local + slot - 1];
        if (!body->bound[slot] || !text_equal(model_name(body->model, local->name), name)) continue;
        *out = body->slots[slot];
        return true;
    }
    return false;
}

static bool member_within(Sizes *self, ClassThing *class_, Text name, Thing *out, ClassThing **owner,
                          uint32_t depth) {
    if (depth > 12) return false;
    if (member_of_class(self, class_, name, out)) {
        *owner = class_;
        return true;
    }
    for (uint32_t i = 0; i < class_->base_count; i++) {
        Thing base = class_->bases[i];
        ClassThing *next = base.kind == THING_CLASS ? base.class_
                           : base.kind == THING_API ? size_rule_class(self, base.id)
                                                    : NULL;
        if (next && member_within(self, next, name, out, owner, depth + 1)) return true;
    }
    return false;
}

bool size_class_member(Sizes *self, ClassThing *class_, Text name, Thing *out, ClassThing **owner) {
    return member_within(self, class_, name, out, owner, 0);
}

/* What super() finds: looks in the bases of the class around the function. */
bool size_member_behind(Sizes *self, ClassThing *class_, ClassThing *behind, Text name, Thing *out) {
    ClassThing *from = behind ? behind : class_, *owner;
    for (uint32_t i = 0; from && i < from->base_count; i++) {
        Thing base = from->bases[i];
        ClassThing *next = base.kind == THING_CLASS ? base.class_
                           : base.kind == THING_API ? size_rule_class(self, base.id)
                                                    : NULL;
        if (next && member_within(self, next, name, out, &owner, 0)) return true;
    }
    return false;
}

/* ---- APIs ---- */

static const SizeRow *rule_row(Sizes *self, EntryId entry) {
    if (!entry) return NULL;
    if (!self->entry_rows[entry]) {
        const SizeRow *row =
            size_rule_named(self->rules, rulebook_text(self->book, self->book->entries[entry].qualified));
        self->entry_rows[entry] = row ? (uint16_t)(row - self->rules->rows + 2) : 1;
    }
    return self->entry_rows[entry] > 1 ? &self->rules->rows[self->entry_rows[entry] - 2] : NULL;
}

Thing size_rule(Sizes *self, EntryId entry) {
    const SizeRow *row = rule_row(self, entry);
    if (!row) return thing_none();
    if (row->class_id)
        return (Thing){.kind = THING_CLASS, .class_ = size_class(self, 0, row->class_id, self->rule_scope)};
    Function *made = arena_new(self->arena, Function, 1);
    *made = (Function){0, row->func, self->rule_scope, NULL};
    return (Thing){.kind = THING_FUNCTION, .function = made};
}

static ClassThing *rule_class_within(Sizes *self, EntryId entry, uint32_t depth) {
    const SizeRow *row = rule_row(self, entry);
    if (row && row->class_id) return size_class(self, 0, row->class_id, self->rule_scope);
    const Entry *e = &self->book->entries[entry];
    for (uint32_t i = 0; depth < 8 && i < e->base_count; i++) {
        ClassThing *found = rule_class_within(self, self->book->entry_links[e->first_base + i], depth + 1);
        if (found) return found;
    }
    return NULL;
}

ClassThing *size_rule_class(Sizes *self, EntryId entry) {
    return entry ? rule_class_within(self, entry, 0) : NULL;
}

/* ---- attributes ---- */

/* Whether a function is decorated with @property, @staticmethod or the like. */
static bool decorated_as(const Sizes *self, const Function *function, PythonName which) {
    const FileModel *model =
        function->file ? self->inference->program->files.items[function->file].model : self->rules->model;
    return model_is_decorated(model, &model->funcs.items[function->func], python_text(which));
}

static Thing api_attribute(Sizes *self, Scope *scope, ExprId expr, EntryId entry, Text name) {
    const Entry *e = &self->book->entries[entry];
    ClassThing *rules = e->kind == ENTRY_CLASS ? size_rule_class(self, entry) : NULL, *owner;
    Thing maker;
    if (rules && size_class_member(self, rules, name, &maker, &owner) && maker.kind == THING_FUNCTION &&
        decorated_as(self, maker.function, PY_classmethod))
        return size_bound(self, (Thing){.kind = THING_API, .id = entry}, maker);
    EntryId found = e->kind == ENTRY_CLASS ? rulebook_member(self->book, entry, name)
                                           : rulebook_child(self->book, entry, name);
    if (!found) return thing_unknown();
    if (self->book->entries[found].kind != ENTRY_VALUE) return (Thing){.kind = THING_API, .id = found};
    Thing rule = size_rule(self, found);
    CallArgs none = {0};
    return rule.kind == THING_FUNCTION
               ? size_run_function(self, scope, expr, rule.function, thing_unknown(), &none)
               : thing_unknown();
}

static Thing member_of_instance(Sizes *self, Scope *scope, ExprId expr, Thing object, Thing member) {
    if (member.kind == THING_BOUND && member.id == 1) { /* wrapped in the block of a `with` */
        Thing made = size_bound(self, member.bound->receiver,
                                member_of_instance(self, scope, expr, object, member.bound->callee));
        made.id = 1;
        return made;
    }
    if (member.kind != THING_FUNCTION || decorated_as(self, member.function, PY_staticmethod)) return member;
    CallArgs none = {0};
    if (decorated_as(self, member.function, PY_property))
        return size_run_function(self, scope, expr, member.function, object, &none);
    if (decorated_as(self, member.function, PY_classmethod) && object.kind == THING_INSTANCE &&
        object.instance->class_)
        object = (Thing){.kind = THING_CLASS, .class_ = object.instance->class_};
    return size_bound(self, object, member);
}

/* An attribute that the instance lacks: asks the class's `__getattr__`. */
static Thing other_attribute(Sizes *self, Scope *scope, ExprId expr, Thing object, Text name) {
    Thing other;
    ClassThing *owner;
    const Instance *instance = object.instance;
    bool special = text_starts(name, TEXT("__"));
    if (special || !instance->class_ || !scope ||
        !size_class_member(self, instance->class_, TEXT("__getattr__"), &other, &owner) ||
        other.kind != THING_FUNCTION)
        return thing_unknown();
    CallArgs args = {.items = {thing_text(name)}, .count = 1};
    return size_run_function(self, scope, expr, other.function, object, &args);
}

static Thing instance_attribute(Sizes *self, Scope *scope, ExprId expr, Thing object, Text name) {
    Instance *instance = object.instance;
    Thing *own = instance_slot(instance, name), member;
    ClassThing *owner;
    if (own) return *own;
    EntryId entry = instance->entry ? rulebook_member(self->book, instance->entry, name) : 0;
    bool callable = entry && self->book->entries[entry].kind == ENTRY_FUNCTION;
    if (instance->class_ && size_class_member(self, instance->class_, name, &member, &owner)) {
        bool plain =
            member.kind == THING_FUNCTION && !owner->file && !decorated_as(self, member.function, PY_property);
        if (!plain || !callable) return member_of_instance(self, scope, expr, object, member);
    }
    return callable ? size_bound(self, object, (Thing){.kind = THING_API, .id = entry})
                    : other_attribute(self, scope, expr, object, name);
}

static Thing class_attribute(Sizes *self, Thing object, Text name) {
    Thing member;
    ClassThing *owner;
    if (!size_class_member(self, object.class_, name, &member, &owner)) return thing_unknown();
    bool bound = member.kind == THING_FUNCTION && decorated_as(self, member.function, PY_classmethod);
    return bound ? size_bound(self, object, member) : member;
}

static Thing tensor_attribute(Sizes *self, Scope *scope, ExprId expr, Thing object, Text name) {
    ClassThing *rules = size_rule_class(self, self->inference->known->tensor), *owner;
    EntryId entry = rulebook_member(self->book, self->inference->known->tensor, name);
    Thing member;
    if (rules && size_class_member(self, rules, name, &member, &owner) && member.kind == THING_FUNCTION &&
        decorated_as(self, member.function, PY_property))
        return member_of_instance(self, scope, expr, object, member);
    bool callable = entry && self->book->entries[entry].kind == ENTRY_FUNCTION;
    if (callable) return size_bound(self, object, (Thing){.kind = THING_API, .id = entry});
    return rules && size_class_member(self, rules, name, &member, &owner)
               ? member_of_instance(self, scope, expr, object, member)
               : thing_unknown();
}

static Thing file_attribute(Sizes *self, FileId file, Text name) {
    Scope *module = size_module(self, file);
    if (!module) return thing_unknown();
    const Func *func = &module->model->funcs.items[1];
    for (uint32_t slot = 1; slot <= func->local_count; slot++)
        if (module->bound[slot] &&
            text_equal(
                model_name(module->model, module->model->locals.items[func->first_local + slot - 1].name),
                name))
            return module->slots[slot];
    return thing_unknown();
}

Thing size_attribute(Sizes *self, Scope *scope, ExprId expr, Thing object, Text name) {
    if (python_is(PY___dict__, name)) return object; /* its items are its attributes */
    switch ((ThingKind)object.kind) {
    case THING_INSTANCE: return instance_attribute(self, scope, expr, object, name);
    case THING_TENSOR: return tensor_attribute(self, scope, expr, object, name);
    case THING_CLASS: return class_attribute(self, object, name);
    case THING_API: return api_attribute(self, scope, expr, object.id, name);
    case THING_FILE: return file_attribute(self, object.id, name);
    default: return thing_unknown();
    }
}

/* ---- instances ---- */

/* A class that declares its fields and has no __init__ (dataclasses and the like): the arguments fill the
   fields. */
static void fill_fields(Sizes *self, Thing made, ClassThing *class_, const CallArgs *args, uint32_t depth) {
    for (uint32_t i = 0; depth < 8 && i < class_->base_count; i++)
        if (class_->bases[i].kind == THING_CLASS)
            fill_fields(self, made, class_->bases[i].class_, args, depth + 1);
    Scope *body = class_body(self, class_);
    if (!body) return;
    const FileModel *model = body->model;
    List block = model->funcs.items[body->func].body;
    uint32_t position = 0;
    for (uint32_t i = 0; i < block.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[block.first + i]];
        if (stmt->kind != STMT_ASSIGN || !stmt->a || stmt->list.count != 1) continue;
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
        if (target->kind != EXPR_NAME) continue;
        Text name = model_name(model, target->name);
        Thing value = stmt->b ? size_eval(self, body, stmt->b) : thing_unknown();
        if (position < args->count) value = args->items[position];
        for (uint32_t n = 0; n < args->named_count; n++)
            if (text_equal(args->names[n], name)) value = args->named[n];
        instance_put(self->arena, made.instance, name, value);
        position++;
    }
}

Thing size_make(Sizes *self, Scope *scope, ExprId expr, ClassThing *class_, const CallArgs *args) {
    Thing made = {.kind = THING_INSTANCE, .instance = arena_new(self->arena, Instance, 1)}, init;
    ClassThing *owner;
    bool found;
    made.instance->class_ = class_;
    made.instance->entry = class_->entry;
    made.instance->open = args->open;
    made.instance->made_under = self->maybe;
    if (class_->file)
        self->instances[self->inference->program->files.items[class_->file].class_base + class_->class_id] =
            made.instance;
    if (size_class_member(self, class_, TEXT("__init__"), &init, &owner)) {
        (void)size_method(self, scope, expr, made, "__init__", args, &found);
    } else {
        fill_fields(self, made, class_, args, 0);
        CallArgs none = {0};
        if (class_->file) (void)size_method(self, scope, expr, made, "__post_init__", &none, &found);
    }
    return made;
}

Thing size_make_api(Sizes *self, Scope *scope, ExprId expr, EntryId entry, const CallArgs *args) {
    ClassThing *rules = size_rule_class(self, entry);
    Thing made = {.kind = THING_INSTANCE};
    if (rules) {
        made = size_make(self, scope, expr, rules, args);
        const SizeRow *own = rule_row(self, entry);
        Thing init;
        ClassThing *owner;
        made.instance->open |= !own && !size_class_member(self, rules, TEXT("__init__"), &init, &owner);
    } else {
        made.instance = arena_new(self->arena, Instance, 1);
        made.instance->open = true;
    }
    if (made.kind == THING_INSTANCE) made.instance->entry = entry;
    return made;
}

/* An instance of a class of which this call path makes none: the last one made anywhere, else one constructed
   with the defaults. */
static Thing assumed_instance(Sizes *self, GlobalClass id) {
    if (self->instances[id]) return (Thing){.kind = THING_INSTANCE, .instance = self->instances[id]};
    const Program *program = self->inference->program;
    FileId file = program_file_of_class(program, id);
    ClassThing *class_ = size_class(self, file, id - program->files.items[file].class_base, NULL);
    CallArgs open = {.open = true};
    bool recording = self->recording;
    self->recording = false;
    Thing made = size_make(self, class_->around, 0, class_, &open);
    self->recording = recording;
    return made;
}

static Thing taken_function(Sizes *self, GlobalFunc id) {
    const Program *program = self->inference->program;
    FileId file = file_of_func(self->inference, id);
    FuncId func = id - program->files.items[file].func_base;
    const Func *def = &program->files.items[file].model->funcs.items[func];
    if (def->parent != 1 || def->class_id)
        return thing_unknown(); /* it uses variables of a function around it */
    Function *made = arena_new(self->arena, Function, 1);
    *made = (Function){file, func, size_module(self, file), NULL};
    return (Thing){.kind = THING_FUNCTION, .function = made};
}

static Thing taken_alt(Sizes *self, const Alt *alt) {
    Thing made = {.kind = THING_UNKNOWN};
    switch ((Kind)alt->kind) {
    case KIND_NONE: return thing_none();
    case KIND_NUMBER:
    case KIND_TEXT: {
        Text text = names_text(&self->inference->program->names, alt->id);
        if (alt->kind == KIND_TEXT) return alt->id ? thing_text(text) : thing_some_text();
        if (python_is(PY_True, text) || python_is(PY_False, text)) return thing_bool(text.length == 4);
        int64_t value = text.length && text.length < 10 ? 0 : -1;
        for (uint32_t i = 0; value >= 0 && i < text.length; i++)
            value = text.bytes[i] >= '0' && text.bytes[i] <= '9' ? value * 10 + (text.bytes[i] - '0') : -1;
        return value >= 0 ? thing_known((double)value) : made;
    }
    case KIND_TENSOR:
        made = size_tensor_unknown(self);
        made.tensor->host = alt->device == DEVICE_CPU;
        made.tensor->graded = (alt->flags & ALT_GRADIENT) != 0;
        return made;
    case KIND_ENTRY: return alt->object ? made : (Thing){.kind = THING_API, .id = alt->id};
    case KIND_FUNCTION: return alt->object ? made : taken_function(self, alt->id);
    case KIND_MODULE: return (Thing){.kind = THING_FILE, .id = alt->id};
    case KIND_CLASS: {
        FileId file = program_file_of_class(self->inference->program, alt->id);
        ClassId id = alt->id - self->inference->program->files.items[file].class_base;
        return (Thing){.kind = THING_CLASS, .class_ = size_class(self, file, id, NULL)};
    }
    case KIND_INSTANCE: return assumed_instance(self, alt->id);
    case KIND_OBJECT: {
        CallArgs open = {.open = true};
        return self->depth < DEPTH_MOST ? size_make_api(self, NULL, 0, alt->id, &open) : made;
    }
    default: return made;
    }
}

Thing size_taken(Sizes *self, const Value *value) {
    if (!value || !value->count || self->fuel <= 0) return thing_unknown();
    if (value->count == 1) return taken_alt(self, &value->alts[0]);
    bool tensors = value_only(value, KIND_TENSOR);
    return tensors ? taken_alt(self, &value->alts[0]) : thing_unknown();
}
