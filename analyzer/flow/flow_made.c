/* Classes that are instantiated only with options that are off by default: the optimizer in `elif name ==
   "asgd":` where name defaults to "adam"; or a scaler that is disabled, `GradScaler(enabled=args.fp16)`. What
   such objects do happens only with these options. */
#include "calls.h"
#include "flow_pick.h"
#include "search.h"

/* Limit: callers asked whether they make a call only with an option, over all functions that lead to one place. */
enum { CALLERS_ASKED = 64 };

/* Statements stand in the order of their starts, an outer one before what it holds. */
StmtId stmt_around(const Walk *walk, Span span) {
    StmtId first = walk->func->first_stmt;
    const Stmt *stmts = walk->model->stmts.items + first;
    uint32_t before = FIRST_FROM(stmts, walk->func->end_stmt - first, span.start, span.start + 1);
    while (before-- > 0)
        if (span.end <= stmts[before].span.end) return first + before;
    return 0;
}

static bool is_within(const Walk *walk, Span inner, ExprId outer) {
    Span span = walk->model->exprs.items[outer].span;
    return outer && span.start <= inner.start && inner.end <= span.end;
}

/* `Scaler() if args.amp else None`: an expression around another comes after it, and before the next statement's. */
static void ask_choices(const Walk *walk, ExprId made, StmtId stmt, Item *guard) {
    Span span = walk->model->exprs.items[made].span;
    uint32_t end = stmt ? walk->model->stmts.items[stmt].span.end : UINT32_MAX;
    for (ExprId e = made + 1; e < walk->func->end_expr; e++) {
        const Expr *expr = &walk->model->exprs.items[e];
        if (expr->span.start >= end) return;
        if (expr->kind != EXPR_IF || !is_within(walk, span, e) || is_within(walk, span, expr->a)) continue;
        guard_condition(walk, expr->a, is_within(walk, span, expr->b), guard);
    }
}

static Item guard_of_place(const Walk *walk, ExprId made) {
    Item guard = {0};
    StmtId stmt = stmt_around(walk, walk->model->exprs.items[made].span);
    BlockId at = stmt ? graph_block(walk->graph, stmt) : 0;
    Guard around;
    ask_choices(walk, made, stmt, &guard);
    while (at && !(guard.flags & GUARD_OFF) && graph_guard(walk->graph, at, &around)) {
        if (around.condition) guard_condition(walk, around.condition, around.truth, &guard);
        at = around.test;
    }
    return guard;
}

/* `GradScaler(enabled=args.fp16)` or `Normal(validate_args=check)` with an argument that is off by default: it
   does not wait. */
static Item guard_of_options(const Walk *walk, const Expr *call) {
    Item guard = {0};
    for (uint32_t i = 0; i < call->list.count && !guard.flags; i++) {
        const Expr *given = &walk->model->exprs.items[walk->model->links.items[call->list.first + i]];
        if (given->kind != EXPR_KEYWORD) continue;
        Text name = model_name(walk->model, given->name);
        bool spares = name_is(walk->inference->book, NAMED_sparing_option, name);
        if (spares || name_is(walk->inference->book, NAMED_asking_option, name))
            guard_condition(walk, given->a, !spares, &guard);
    }
    return guard;
}

/* The expression constructs a class; of classes of the rulebook only dotted paths count. */
static bool makes(const Walk *walk, ExprId id, const bool *followed) {
    const Value *callee = infer_fact(walk->context, walk->model, walk->model->exprs.items[id].a);
    if (callee) return value_has(callee, KIND_CLASS) || value_has(callee, KIND_ENTRY);
    return !followed[id - walk->func->first_expr]; /* to a function of the program */
}

static bool is_off(const Item *guard) { return (guard->flags & GUARD_OFF) && guard->only_length; }

/* A caller must choose the branch, so it says nothing of what is done by default. */
static bool is_left_to_callers(const Item *guard) {
    return !(guard->flags & GUARD_OFF) && (guard->rate & GUARD_HANDED) && guard->only_length;
}

/* Records one more place where it is made. If one of them needs no option, it is always made. */
static void note_made(MadeBy *made, const Item *place, const Item *options) {
    bool by_options = !(place->flags & GUARD_OFF) && (options->flags & GUARD_OFF);
    const Item *guard = by_options ? options : place;
    if (is_left_to_callers(guard)) return;
    if (!is_off(guard)) made->always = true;
    made->itself |= by_options;
    if (!made->only_length)
        made->only = guard->only, made->only_length = guard->only_length,
        made->rate = guard->rate & GUARD_ANOTHER;
}

/* The classes under the other keys: another name makes them. */
static void note_others(const Walk *walk, const Pick *pick, const Item *options, AroundCalls *around) {
    const Object *from = picked_from(walk, pick);
    const Item other = guard_of_pick(walk, pick);
    for (uint32_t i = 0; from && i < from->key_count; i++) {
        const Value *value = slot_value(walk->inference, object_keys(from)[i].slot);
        for (uint32_t k = 0; value && k < value->count; k++)
            if (value->alts[k].kind == KIND_CLASS && is_other_pick(walk, pick, &value->alts[k]))
                note_made(&around->made_classes[value->alts[k].id], &other, options);
    }
}

/* Whether all callers of the function call it only with an option: `if kind == "counted": return counted_head()`.
   left: how many more may be asked. */
static bool is_called_off(const Walk *walk, Item *guard, uint32_t *left) {
    CallersOf calls = callers_of(walk);
    bool off = false;
    if (walk->context->root || calls.many || calls.count > *left) return false;
    *left -= calls.count;
    for (uint32_t i = 0; i < calls.count; i++) {
        Walk caller = walk_of(walk, calls.first[i].context);
        if (!caller.graph || usual_is_of_test(walk, calls.first[i].context)) continue;
        Item here = guard_of_place(&caller, caller.context->edges.items[calls.first[i].edge].expr);
        bool left_open = is_left_to_callers(&here);
        if (!is_off(&here) && !is_called_off(&caller, &here, left)) {
            if (left_open) continue;
            return false;
        }
        if (!off) *guard = here;
        off = true;
    }
    return off;
}

static bool made_always(const Walk *walk, GlobalClass id) {
    const MadeBy *made = &walk->around_calls->made_classes[id];
    return made->always || made->itself;
}

/* A subclass that is instantiated whatever the options are, or that is meant for users to instantiate. */
static bool has_other_heirs(const Walk *walk, GlobalClass id) {
    const Inference *inference = walk->inference;
    for (GlobalClass heir = 1; heir <= inference->program->class_count; heir++)
        for (uint32_t i = 1; i < inference->classes[heir].order_count; i++)
            if (inference->classes[heir].order[i] == id << 1 &&
                (made_always(walk, heir) || !walk->around_calls->made_classes[heir].only_length))
                return true;
    return false;
}

/* What a class body makes is used by objects of the class: `class Debugger(Trainer): hooks = (NanGuard(),)`. */
static Item guard_of_body(const Walk *walk) {
    for (ClassId c = 1; c < walk->model->classes.count; c++) {
        if (walk->model->classes.items[c].body != walk->context->func) continue;
        const GlobalClass id = walk->file->class_base + c;
        const MadeBy *made = &walk->around_calls->made_classes[id];
        if (made->always || made->itself || !made->only_length || has_other_heirs(walk, id)) break;
        return (Item){
            .flags = GUARD_OFF, .rate = made->rate, .only = made->only, .only_length = made->only_length};
    }
    return (Item){0};
}

/* followed: [ExprId - first_expr of the function]: calls that lead to functions of the program. */
static void see_call(const Walk *walk, ExprId id, const bool *followed, AroundCalls *around) {
    const Expr *call = &walk->model->exprs.items[id];
    const Value *value = infer_fact(walk->context, walk->model, id);
    bool objects = value_has(value, KIND_OBJECT) || value_has(value, KIND_INSTANCE);
    if (!objects || !makes(walk, id, followed)) return;
    Item place = guard_of_place(walk, id), options = guard_of_options(walk, call);
    uint32_t left = CALLERS_ASKED;
    if (!is_off(&place) && !is_left_to_callers(&place)) is_called_off(walk, &place, &left);
    if (walk->func->kind == FUNC_CLASS_BODY && !is_off(&place)) place = guard_of_body(walk);
    Pick pick;
    bool picked = find_pick(walk, call->a, &pick) && !(place.flags & GUARD_OFF);
    bool unknown = !picked && pick.key; /* by a name that only a caller gives */
    if (unknown && ((place.rate & GUARD_HANDED) || usual_is_assumed(walk))) return;
    if (picked) note_others(walk, &pick, &options, around);
    const Expr *callee = &walk->model->exprs.items[call->a];
    const Value *receiver =
        callee->kind == EXPR_ATTRIBUTE ? infer_fact(walk->context, walk->model, callee->a) : NULL;
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (holds_alt(receiver, alt)) continue; /* model.to(device) gives the model */
        const Alt of = {.kind = alt->kind == KIND_OBJECT ? KIND_ENTRY : KIND_CLASS, .id = alt->id};
        Item here = place;
        bool made = alt->kind == KIND_OBJECT || alt->kind == KIND_INSTANCE;
        Item other;
        if (made && !(place.flags & GUARD_OFF) && is_picked_off(walk, call->a, &of, &other)) here = other;
        if (alt->kind == KIND_OBJECT) note_made(&around->made_entries[alt->id], &here, &options);
        if (alt->kind == KIND_INSTANCE) note_made(&around->made_classes[alt->id], &here, &options);
    }
}

static bool only_tests_call(const Walk *walk) {
    CallersOf calls = callers_of(walk);
    for (uint32_t i = 0; i < calls.count; i++)
        if (!usual_is_of_test(walk, calls.first[i].context)) return false;
    return calls.count && !calls.many;
}

/* ---- methods asked for by name ---- */

/* [Sym]: names of methods that no visible call leads to: objects that nobody sees are asked for them, if any. */
static bool *unled_methods(const Walk *nobody) {
    const Inference *inference = nobody->inference;
    bool *unled = arena_new(nobody->arena, bool, inference->program->names.texts.count + 1);
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        if (inference->contexts.items[id]->root - 1 != RATE_CALL) continue;
        Walk walk = walk_of(nobody, id);
        if (walk.func->class_id && walk.func->name) unled[walk.file->syms[walk.func->name]] = true;
    }
    unled[0] = false;
    return unled;
}

/* One more call of that name. Where nobody is seen to run the function with it, it is made whatever the options are. */
static void see_asked(const Walk *nobody, FileId id, FuncId func, ExprId call, MadeBy *asked) {
    const Inference *inference = nobody->inference;
    ContextId context = inference->func_contexts[global_func(inference, id, func)];
    while (context && !context_is_live(inference->contexts.items[context]))
        context = inference->context_links.items[context].next;
    Item place = {0};
    uint32_t left = CALLERS_ASKED;
    if (context && inference->graphs[global_func(inference, id, func)]) {
        Walk walk = walk_of(nobody, context);
        walk.calls_up = 0;
        place = guard_of_place(&walk, call);
        if (!is_off(&place)) is_called_off(&walk, &place, &left);
    }
    if (!is_off(&place)) asked->always = true;
    if (!asked->only_length)
        asked->only = place.only, asked->only_length = place.only_length,
        asked->rate = place.rate & GUARD_ANOTHER;
}

/* `if config.stats: self.writer.add_weights(model)`: what only an option asks for by name, whoever the writer is. */
static void find_asked(const Walk *nobody, AroundCalls *around) {
    const Inference *inference = nobody->inference;
    const bool *unled = unled_methods(nobody);
    for (FileId id = 1; id < inference->program->files.count; id++) {
        const SourceFile *file = &inference->program->files.items[id];
        if (around->tests[id]) continue;
        for (FuncId f = 1; f < file->model->funcs.count; f++)
            for (ExprId e = file->model->funcs.items[f].first_expr; e < file->model->funcs.items[f].end_expr;
                 e++) {
                const Expr *expr = &file->model->exprs.items[e];
                const Expr *callee = &file->model->exprs.items[expr->kind == EXPR_CALL ? expr->a : 0];
                Sym name = callee->kind == EXPR_ATTRIBUTE ? file->syms[callee->name] : 0;
                if (unled[name] && !around->asked[name].always)
                    see_asked(nobody, id, f, e, &around->asked[name]);
            }
    }
}

static void see_calls(const Walk *walk, Arena *marks, AroundCalls *around) {
    if (!walk->graph || around->tests[walk->context->file] || only_tests_call(walk)) return;
    ExprId first = walk->func->first_expr, end = walk->func->end_expr;
    arena_reset(marks);
    bool *followed = arena_new(marks, bool, end - first + 1u);
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        ExprId call = walk->context->edges.items[e].expr;
        if (call >= first && call < end) followed[call - first] = true;
    }
    for (ExprId e = first; e < end; e++)
        if (walk->model->exprs.items[e].kind == EXPR_CALL) see_call(walk, e, followed, around);
}

void flow_find_made(Arena *arena, Arena *scratch, const Inference *inference, AroundCalls *around) {
    around->made_entries = arena_new(arena, MadeBy, inference->book->entry_count);
    around->made_classes = arena_new(arena, MadeBy, inference->program->class_count + 1);
    around->asked = arena_new(arena, MadeBy, inference->program->names.texts.count + 1);
    KeptUsuals *kept = arena_new(scratch, KeptUsuals, 1);
    Walk nobody = {.arena = scratch, .inference = inference, .around_calls = around, .kept = kept};
    find_asked(&nobody, around);
    Arena marks = {0};
    for (int bodies = 0; bodies < 2;
         bodies++) /* those of classes last: whether the class is made is known by then */
        for (ContextId id = 1; id < inference->contexts.count; id++) {
            if (!context_is_live(inference->contexts.items[id])) continue;
            Walk walk = walk_of(&nobody, id);
            walk.calls_up = 0;
            if ((walk.func->kind == FUNC_CLASS_BODY) == bodies) see_calls(&walk, &marks, around);
        }
    arena_free(&marks);
    arena_free(&kept->texts);
}

static const MadeBy *made_by(const Walk *walk, const Alt *alt) {
    const AroundCalls *around = walk->around_calls;
    const MadeBy *made = alt->kind == KIND_OBJECT     ? &around->made_entries[alt->id]
                         : alt->kind == KIND_INSTANCE ? &around->made_classes[alt->id]
                                                      : NULL;
    return made && made->only_length && !made->always ? made : NULL;
}

/* The receiver of a method call, `hook.see(x)` or `getattr(hook, name)(x)`, else the callee; 0 = there is none. */
static ExprId receiver_in(const Walk *walk, ExprId id) {
    const Expr *call = &walk->model->exprs.items[id];
    if (call->kind != EXPR_CALL) return 0;
    const Expr *callee = &walk->model->exprs.items[call->a];
    const Value *called = infer_fact(walk->context, walk->model, call->a);
    if (value_has(called, KIND_OBJECT) || value_has(called, KIND_INSTANCE)) return call->a;
    bool asks =
        callee->kind == EXPR_CALL && callee->list.count && python_is(PY_getattr, last_name(walk, callee->a));
    if (asks) return walk->model->links.items[callee->list.first];
    return callee->kind == EXPR_ATTRIBUTE ? callee->a : 0;
}

static const Value *receiver_of(const Walk *walk, ExprId id) {
    ExprId receiver = receiver_in(walk, id);
    return receiver ? infer_fact(walk->context, walk->model, receiver) : NULL;
}

/* Whether the alternative of the receiver that has the method exists only with an option. If that is so for all
   alternatives, it is no default: one of them exists. */
static bool is_made_off(const Walk *walk, const Value *receiver, const Alt *by, bool asks, Item *guard) {
    const MadeBy *off = made_by(walk, by);
    bool other = off && off->itself && asks;
    if (off && off->itself && !asks) return false;
    for (uint32_t i = 0; off && receiver && i < receiver->count && !other; i++) {
        uint8_t kind = receiver->alts[i].kind;
        other = (kind == KIND_OBJECT || kind == KIND_INSTANCE) && !made_by(walk, &receiver->alts[i]);
    }
    if (!off || !other) return false;
    *guard = (Item){.kind = ITEM_GUARD, .flags = GUARD_OFF, .rate = off->rate};
    guard->only = off->only, guard->only_length = off->only_length;
    return true;
}

/* `if packed: self.forward = self.of_packed`, called as `model(x)`: an option puts the method there. */
static bool is_stored_off(const Walk *walk, const Expr *call, const Context *callee, Item *guard) {
    const Inference *inference = walk->inference;
    const FileModel *model = inference->program->files.items[callee->file].model;
    const Writes *writes = inference->writes[callee->file];
    NameId name = model->funcs.items[callee->func].name;
    Text own = model_name(model, name);
    bool named = text_equal(own, last_name(walk, call->a)) || text_starts(own, TEXT("__"));
    if (!writes || named || name_is(inference->book, NAMED_forward_method, own)) return false;
    bool off = false;
    for (uint32_t i = 0; i < writes->count; i++) {
        const Write *write = &writes->items[i];
        ExprId given = write->kind == DEF_ASSIGN ? model->stmts.items[write->stmt].b : 0;
        const Expr *value = &model->exprs.items[given], *owner = &model->exprs.items[value->a];
        if (value->kind != EXPR_ATTRIBUTE || value->name != name || owner->kind != EXPR_NAME) continue;
        ContextId maker = inference->func_contexts[global_func(inference, callee->file, write->func)];
        if (!maker) return false;
        Walk there = walk_of(walk, maker);
        Item asked = guard_of_place(&there, given);
        off = (asked.flags & GUARD_OFF) && asked.only_length;
        if (!off) return false;
        *guard = (Item){.kind = ITEM_GUARD, .flags = GUARD_OFF, .rate = asked.rate & GUARD_WITHOUT};
        guard->only = asked.only, guard->only_length = asked.only_length;
    }
    return off;
}

bool guard_made_callee(const Walk *walk, ExprId id, ContextId callee, Item *guard) {
    const Context *context = walk->inference->contexts.items[callee];
    const FileModel *model = walk->inference->program->files.items[context->file].model;
    const Value *self = context->arg_count ? context->args[0] : NULL;
    const Expr *call = &walk->model->exprs.items[id];
    if (call->kind == EXPR_CALL && model->funcs.items[context->func].class_id &&
        is_stored_off(walk, call, context, guard))
        return true;
    const Alt own = {.kind = KIND_FUNCTION, .id = global_func(walk->inference, context->file, context->func)};
    if (call->kind == EXPR_CALL && is_picked_off(walk, call->a, &own, guard)) return true;
    bool off = model->funcs.items[context->func].class_id && value_only(self, KIND_INSTANCE);
    ExprId receiver = receiver_in(walk, id);
    for (uint32_t i = 0; off && i < self->count; i++)
        off = is_made_off(walk, receiver_of(walk, id), &self->alts[i], false, guard) ||
              (receiver && is_picked_off(walk, receiver, &self->alts[i], guard));
    return off;
}

/* The method is called by name, and only with an option. */
static bool is_asked_off(const Walk *walk, Item *guard) {
    const Func *func = walk->func;
    if (walk->context->root - 1 != RATE_CALL || !func->class_id || !func->name || callers_of(walk).count)
        return false;
    if (class_is_foreign(walk->inference, walk->file->class_base + func->class_id)) return false;
    const MadeBy *asked = &walk->around_calls->asked[walk->file->syms[func->name]];
    if (!asked->only_length || asked->always) return false;
    *guard =
        (Item){.flags = GUARD_OFF, .rate = asked->rate, .only = asked->only, .only_length = asked->only_length};
    return true;
}

/* `backward` of an operation that is applied only with an option. */
static bool is_applied_off(const Walk *walk, Item *guard) {
    const Inference *inference = walk->inference;
    const Class *class_ = &walk->model->classes.items[walk->func->class_id];
    bool back = walk->func->class_id && walk->context->root &&
                name_is(inference->book, NAMED_backward_method, model_name(walk->model, walk->func->name));
    bool off = false;
    for (uint32_t m = 0; back && m < class_->methods.count; m++) {
        FuncId func = walk->model->links.items[class_->methods.first + m];
        if (!name_is(inference->book, NAMED_forward_method,
                     model_name(walk->model, walk->model->funcs.items[func].name)))
            continue;
        for (ContextId id = context_of(walk, func); id; id = inference->context_links.items[id].next) {
            Walk applied = walk_of(walk, id);
            Item here = {0};
            uint32_t left = CALLERS_ASKED;
            CallersOf calls = callers_of(&applied);
            bool left_over =
                !applied.context->root && !calls.many && !calls.count; /* of an earlier evaluation */
            if (left_over || !context_is_live(applied.context)) continue;
            if (!is_called_off(&applied, &here, &left)) return false;
            if (!off) *guard = (Item){.flags = GUARD_OFF, .rate = here.rate & GUARD_ANOTHER, .only = here.only};
            guard->only_length = off ? guard->only_length : here.only_length;
            off = true;
        }
    }
    return off;
}

bool guard_made_self(const Walk *walk, Item *guard) {
    if (is_asked_off(walk, guard) || is_applied_off(walk, guard)) return true;
    const Func *func = walk->func;
    bool method = walk->context->root && func->class_id && func->param_count;
    Text first =
        method ? model_name(walk->model, walk->model->params.items[func->first_param].name) : (Text){0};
    if (!python_is(PY_self, first)) return false;
    const Alt self = {.kind = KIND_INSTANCE, .id = walk->file->class_base + func->class_id};
    const MadeBy *made = made_by(walk, &self);
    if (!made || made->itself || has_other_heirs(walk, self.id)) return false;
    *guard = (Item){.flags = GUARD_OFF, .rate = made->rate | GUARD_MADE};
    guard->only = made->only, guard->only_length = made->only_length;
    return true;
}

/* `self: ~spared` */
static bool speaks_of_spared(const Rulebook *book, TermId id) {
    const Term *term = &book->terms[id];
    bool found = term->kind == TERM_WORD && term->word == COND_spared;
    for (uint32_t i = 0; i < term->count && !found; i++)
        found = speaks_of_spared(book, book->term_links[term->first + i]);
    return found;
}

bool guard_made_effect(const Walk *walk, const EffectRecord *record, Item *guard) {
    const Rulebook *book = walk->inference->book;
    EntryId owner = record->entry ? book->entries[record->entry].parent : 0;
    const Value *receiver = owner ? receiver_of(walk, record->expr) : NULL;
    const Clause *clause = &book->clauses[record->clause];
    bool off = false, asks = false;
    for (uint32_t p = 0; receiver && p < clause->param_count; p++)
        asks |= speaks_of_spared(book, book->params[clause->first_param + p].condition);
    for (uint32_t i = 0; receiver && i < receiver->count; i++) {
        const Alt *alt = &receiver->alts[i];
        if (alt->kind != KIND_OBJECT || !rulebook_inherits(book, alt->id, owner)) continue;
        if (!is_made_off(walk, receiver, alt, asks, guard)) return false;
        off = true;
    }
    return off;
}

/* `accelerator.wait_for_everyone()`: the page states which setting a run must have for it to wait. */
bool guard_said_effect(const Walk *walk, const EffectRecord *record, Item *guard) {
    Text only = rulebook_effect_text(walk->inference->book, record->clause, EFF_only);
    *guard = (Item){.kind = ITEM_GUARD, .flags = GUARD_OFF, .rate = GUARD_WORDS};
    guard->only = only.bytes, guard->only_length = only.length;
    return only.length;
}
