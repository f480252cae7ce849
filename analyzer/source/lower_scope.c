/* Scopes: the slots of the function that is being lowered, and the resolution of its names. */
#include "lowering.h"

static NameUse *use_of(Lowering *self, NameId name) {
    while (self->uses.count <= name) vec_push(self->scratch, &self->uses, (NameUse){0});
    return &self->uses.items[name];
}

static uint32_t add_local(Lowering *self, Local local) {
    vec_push(self->scratch, &self->locals, local);
    return self->locals.count;
}

static uint32_t bind_in_comp(Lowering *self, CompScope *scope, NameId name) {
    NameUse *use = use_of(self, name);
    if (use->comp == scope) return use->comp_slot;
    uint32_t slot = add_local(self, (Local){.name = name, .is_comprehension = 1});
    CompName bound = {name, slot, use->comp, use->comp_slot};
    vec_push(self->scratch, &scope->names, bound);
    use->comp = scope, use->comp_slot = slot;
    return slot;
}

uint32_t lower_bind(Lowering *self, NameId name) {
    if (self->binding_comp) return bind_in_comp(self, self->binding_comp, name);
    NameUse *use = use_of(self, name);
    if (use->bound_in != self->func) {
        use->bound_in = self->func;
        use->slot = add_local(self, (Local){.name = name});
        if (self->func == 1) use->module_slot = use->slot;
    }
    return use->slot;
}

void lower_declare(Lowering *self, NameId name, bool is_global) {
    uint32_t slot = lower_bind(self, name);
    Local *local = &self->locals.items[slot - 1];
    if (is_global)
        local->is_global = 1;
    else
        local->is_nonlocal = 1;
}

/* ---- comprehensions ---- */

CompScope *lower_comp_open(Lowering *self) {
    CompScope *scope = arena_new(self->scratch, CompScope, 1);
    scope->outer = self->comps;
    scope->func = self->func;
    self->comps = scope;
    return scope;
}

void lower_comp_close(Lowering *self) {
    for (uint32_t i = self->comps->names.count; i-- > 0;) {
        const CompName *bound = &self->comps->names.items[i];
        NameUse *use = use_of(self, bound->name);
        use->comp = bound->hidden, use->comp_slot = bound->hidden_slot;
    }
    self->comps = self->comps->outer;
}

uint32_t lower_comp_slot(const Lowering *self, NameId name) {
    const NameUse *use = name < self->uses.count ? &self->uses.items[name] : NULL;
    return use && use->comp ? use->comp_slot : 0;
}

/* ---- resolution ---- */

/* The slot of a variable of a function already lowered; 0 = the name is not one of its own variables. */
static uint32_t slot_in(const Lowering *self, FuncId func, NameId name) {
    const Func *owner = &self->model.funcs.items[func];
    const Local *locals = self->model.locals.items + owner->first_local;
    const NameUse *use = name < self->uses.count ? &self->uses.items[name] : NULL;
    bool bound_last = use && use->bound_in == func && use->slot <= owner->local_count;
    for (uint32_t i = bound_last ? use->slot - 1 : 0; i < owner->local_count; i++) {
        const Local *local = &locals[i];
        if (local->name == name && !local->root && !local->is_comprehension)
            return local->is_global || local->is_nonlocal ? 0 : i + 1;
    }
    return 0;
}

/* The same for comprehensions around the function's definition, which are closed by now. */
static uint32_t slot_in_comps(const CompScope *scope, NameId name, FuncId *func) {
    for (; scope; scope = scope->outer)
        for (uint32_t i = 0; i < scope->names.count; i++)
            if (scope->names.items[i].name == name) {
                *func = scope->func;
                return scope->names.items[i].slot;
            }
    return 0;
}

static void resolve_outside(const Lowering *self, NameId name, NameUse *use, bool is_global) {
    use->binding = BIND_GLOBAL;
    use->target_func = 0;
    use->target_slot = 0;
    FuncId func = self->func;
    while (func != 1 && !is_global) {
        use->target_slot = slot_in_comps(self->jobs.items[func].comps, name, &use->target_func);
        func = self->model.funcs.items[func].parent;
        if (!use->target_slot && func != 1) {
            use->target_func = func;
            use->target_slot = slot_in(self, func, name);
        }
        if (use->target_slot) {
            use->binding = BIND_FREE;
            return;
        }
    }
    use->target_func = 0;
    use->target_slot = use->module_slot;
}

static void resolve_name(Lowering *self, NameId name) {
    NameUse *use = use_of(self, name);
    if (use->resolved_in == self->func) return;
    use->resolved_in = self->func;
    const Local *local = use->bound_in == self->func ? &self->locals.items[use->slot - 1] : NULL;
    if (local && (self->func == 1 || (!local->is_global && !local->is_nonlocal))) {
        use->binding = BIND_LOCAL;
        use->target_slot = use->slot;
        use->target_func = 0;
    } else {
        resolve_outside(self, name, use, local && local->is_global);
    }
}

/* Gives each variable of a function a name of its own, so that dumps and reasons can tell them apart. */
static void rename_shadowing(Lowering *self) {
    for (uint32_t i = 0; i < self->locals.count; i++) {
        Local *local = &self->locals.items[i];
        if (!local->is_comprehension) continue;
        NameUse *use = use_of(self, local->name);
        if (use->bound_in != self->func) {
            use->bound_in = self->func; /* the first comprehension keeps the plain name */
            use->slot = i + 1;
            continue;
        }
        Text text = names_text(&self->names, local->name);
        local->name = lower_name(self, text_format(self->scratch, "%.*s@%u", SHOWN(text), i + 1));
    }
}

void lower_resolve(Lowering *self) {
    uint32_t first = self->model.funcs.items[self->func].first_expr;
    for (uint32_t i = first; i < self->model.exprs.count; i++) {
        Expr *expr = &self->model.exprs.items[i];
        if (expr->kind != EXPR_NAME || expr->binding != BIND_NO) continue;
        resolve_name(self, expr->name);
        const NameUse *use = &self->uses.items[expr->name];
        expr->binding = use->binding;
        expr->slot = use->target_slot;
        expr->func = use->target_func;
    }
    rename_shadowing(self);
}
