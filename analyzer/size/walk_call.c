/* Calls: runs functions of the program, and describes APIs by rules/sizes.py. */
#include "sizer.h"
#include "python_names.h"
#include "words.h"

Scope *size_scope(Sizes *self, FileId file, FuncId func) {
    const FileModel *model = file ? self->inference->program->files.items[file].model : self->rules->model;
    uint32_t slots = model->funcs.items[func].local_count + 1;
    Scope *scope = arena_new(self->arena, Scope, 1);
    self->steps -= slots / 8;
    *scope = (Scope){.file = file, .func = func, .model = model};
    scope->slots = arena_new(self->arena, Thing, slots);
    scope->bound = arena_new(self->arena, bool, slots);
    if (!file) return scope;
    const Inference *inference = self->inference;
    ContextId id = inference->func_contexts[global_func(inference, file, func)];
    while (id && !context_is_live(inference->contexts.items[id])) id = inference->context_links.items[id].next;
    scope->context = id ? inference->contexts.items[id] : NULL;
    return scope;
}

/* ---- parameters ---- */

static Thing named_argument(CallArgs *args, Text name, bool *found) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (text_equal(args->names[i], name)) {
            Thing value = args->named[i];
            args->named_count--;
            args->names[i] = args->names[args->named_count], args->named[i] = args->named[args->named_count];
            *found = true;
            return value;
        }
    return thing_unknown();
}

static Thing rest_of(Sizes *self, const CallArgs *args, uint32_t from) {
    Thing rest = thing_list(self->arena, true);
    for (uint32_t i = from; i < args->count; i++) list_push(self->arena, rest, args->items[i]);
    for (uint32_t i = 0; args->more && i < args->more->items.count; i++)
        list_push(self->arena, rest, args->more->items.items[i]);
    rest.list->open = args->open;
    return rest;
}

static Thing named_rest(Sizes *self, const CallArgs *args) {
    Thing rest = thing_dict(self->arena);
    for (uint32_t i = 0; i < args->named_count; i++)
        dict_put(self->arena, rest, thing_text(args->names[i]), args->named[i]);
    rest.dict->open = args->open;
    return rest;
}

static Thing fallback_of(Sizes *self, Scope *scope, const Param *param) {
    Scope *around = scope->around ? scope->around : scope;
    Thing value = param->fallback ? size_eval(self, around, param->fallback) : thing_unknown();
    return value;
}

static void bind_parameters(Sizes *self, Scope *scope, const Func *func, Thing receiver,
                            const CallArgs *given) {
    CallArgs args;
    call_args_clear(&args);
    memcpy(args.items, given->items, sizeof *args.items * given->count);
    call_args_name(&args, given);
    args.count = given->count, args.more = given->more, args.open = given->open, args.starred = given->starred;
    uint32_t position = 0;
    bool takes = receiver.kind != THING_UNKNOWN;
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &scope->model->params.items[func->first_param + i];
        Thing value = thing_unknown();
        bool found = false;
        if (takes && !i && !param->star)
            value = receiver, found = true;
        else if (param->star == 1)
            value = rest_of(self, &args, position), position = args.count, found = true;
        else if (param->star == 2)
            value = named_rest(self, &args), found = true;
        else if (!param->keyword_only && position < args.count)
            value = args.items[position++], found = true;
        else
            value = named_argument(&args, model_name(scope->model, param->name), &found);
        if (!found) value = fallback_of(self, scope, param);
        if (!param->slot) continue;
        value = size_as_given(self, scope, BOUND_PARAM, func->first_param + i,
                              model_name(scope->model, param->name), value);
        scope->slots[param->slot] = value;
        scope->bound[param->slot] = value.kind != THING_UNKNOWN || found;
    }
}

/* ---- functions ---- */

static SizeNode *node_below(Sizes *self, SizeNode *node, ExprId call, GlobalFunc func) {
    uint32_t first = FIRST_FROM(node->calls.items, node->calls.count, call, call);
    for (uint32_t i = first; i < node->calls.count && node->calls.items[i].call == call; i++)
        if (node->calls.items[i].node->func == func) return node->calls.items[i].node;
    SizeNode *made = arena_new(self->arena, SizeNode, 1);
    made->func = func;
    vec_insert(self->arena, &node->calls, first, ((SizeCall){call, made}));
    return made;
}

static Thing run_body(Sizes *self, Scope *scope, const Func *func) {
    if (func->is_generator) scope->yielded = arena_new(self->arena, ThingList, 1);
    size_exec_block(self, scope, func->body);
    if (scope->yielded) {
        scope->yielded->open = true;
        return (Thing){.kind = THING_LIST, .list = scope->yielded};
    }
    return scope->returned ? scope->result : thing_none();
}

/* Whether a function calls itself again where it is unknown whether it does: nothing but a bound ends that, and two such calls in a
   body double them each time. `def depth(node): return 1 + max(depth(node.a), depth(node.b)) if node else 0`. */
static bool recurs_unsurely(const Sizes *self, const Function *function) {
    uint32_t found = 0;
    for (const Activation *one = self->active; one; one = one->outer)
        found += one->scope->file == function->file && one->scope->func == function->func &&
                 (one->scope->returned || one->unsure < self->maybe + self->turning);
    return found >= UNSURE_MOST;
}

Thing size_run_function(Sizes *self, Scope *caller, ExprId expr, const Function *function, Thing receiver,
                        const CallArgs *args) {
    const FileModel *model =
        function->file ? self->inference->program->files.items[function->file].model : self->rules->model;
    const Func *func = &model->funcs.items[function->func];
    if (self->depth >= DEPTH_MOST || self->fuel <= 0) return thing_unknown();
    if (recurs_unsurely(self, function)) {
        if (caller && caller->node && self->recording) caller->node->total.open |= function->file != 0;
        return thing_unknown();
    }
    Scope *scope = size_scope(self, function->file, function->func);
    scope->around = function->around;
    scope->class_ = function->class_;
    scope->receiver = receiver;
    scope->node = caller ? caller->node : NULL;
    scope->at = caller && caller->file ? expr : caller ? caller->at : 0;
    if (!function->file) {
        scope->context = caller ? caller->context : NULL;
        scope->turn = caller && !caller->file ? caller->turn : ++self->evaluations;
    } else if (self->recording && scope->node) {
        SizeNode *above = scope->node;
        scope->node =
            node_below(self, above, scope->at, global_func(self->inference, function->file, function->func));
    }
    self->depth++;
    bool in_rules = self->in_rules;
    Activation active = {self->active, scope, self->maybe + self->turning};
    self->in_rules = !function->file, self->active = &active;
    bind_parameters(self, scope, func, receiver, args);
    /* a step that a framework calls, each call one iteration of its hot loop */
    SizeTurn *turn =
        function->file && !self->recording ? size_wanted(self, function->file, function->func, 0) : NULL;
    if (turn) size_begin_turn(self, scope, turn);
    SizeNode *node = function->file && self->recording && !turn ? scope->node : NULL;
    Tally before = node ? node->total : (Tally){0};
    if (node) node->total = (Tally){0};
    Thing result = run_body(self, scope, func);
    if (node) {
        Tally one = node->total;
        node->total = before;
        tally_add(self->arena, &node->total, &one, (Amount){1, 1});
        node->total.times = before.times + 1;
        one.times = 0;
        tally_add(self->arena, &caller->node->total, &one, (Amount){1, 1});
    }
    if (turn) self->recording = false;
    self->in_rules = in_rules, self->active = active.outer;
    self->depth--;
    bool unread = func_is_unread(func);
    return unread && caller && caller->context && caller->file
               ? size_taken(self, infer_fact(caller->context, caller->model, expr))
               : result;
}

/* ---- APIs ---- */

static Thing as_inferred(Sizes *self, const Scope *scope, ExprId expr) {
    bool told = scope && scope->file && scope->context && expr;
    return told ? size_taken(self, infer_fact(scope->context, scope->model, expr)) : thing_unknown();
}

static Thing call_api(Sizes *self, Scope *scope, ExprId expr, EntryId entry, Thing receiver,
                      const CallArgs *args) {
    const Entry *e = &self->book->entries[entry];
    uint32_t word;
    if (size_is_builtin(self, entry, &word)) return size_word(self, scope, expr, word, args);
    Thing rule = size_rule(self, entry), result = thing_unknown(), member;
    /* the rule of a class may say what constructing one gives: `nn.Parameter(x)` is a tensor like x */
    if (e->kind == ENTRY_CLASS && rule.kind != THING_FUNCTION)
        return size_make_api(self, scope, expr, entry, args);
    if (rule.kind == THING_CLASS) return size_make(self, scope, expr, rule.class_, args);
    Operation operation;
    size_begin(self, &operation, args, receiver);
    ClassThing *owner = e->parent ? size_rule_class(self, e->parent) : NULL, *found;
    if (receiver.kind == THING_INSTANCE && receiver.instance->class_) owner = receiver.instance->class_;
    if (rule.kind == THING_FUNCTION) {
        CallArgs all;
        call_args_clear(&all);
        if (receiver.kind != THING_UNKNOWN) all.items[all.count++] = receiver;
        for (uint32_t i = 0; i < args->count && all.count < CALL_ARGUMENTS; i++)
            all.items[all.count++] = args->items[i];
        all.more = args->more;
        call_args_name(&all, args);
        all.open = args->open;
        result = size_run_function(self, scope, expr, rule.function, thing_unknown(), &all);
    } else if (owner && receiver.kind != THING_UNKNOWN &&
               size_class_member(self, owner, rulebook_text(self->book, e->name), &member, &found) &&
               member.kind == THING_FUNCTION && !found->file) {
        result = size_run_function(self, scope, expr, member.function, receiver, args);
    } else {
        operation.untold = true;
    }
    if (result.kind == THING_UNKNOWN) result = as_inferred(self, scope, expr);
    size_end(self, scope, expr, entry, &result);
    return result;
}

/* ---- callees ---- */

static Thing call_instance(Sizes *self, Scope *scope, ExprId expr, Thing callee, const CallArgs *args) {
    static const char *const NAMES[] = {"__call__", "forward"};
    Instance *instance = callee.instance;
    Thing member;
    ClassThing *owner;
    for (size_t i = 0; instance->class_ && i < 2; i++) {
        bool found = size_class_member(self, instance->class_, text_of(NAMES[i]), &member, &owner);
        if (!found || !owner->file) continue;
        return size_call_thing(self, scope, expr, size_attribute(self, scope, expr, callee, text_of(NAMES[i])),
                               args);
    }
    EntryId entry = instance->entry ? rulebook_member(self->book, instance->entry, TEXT("__call__")) : 0;
    if (!entry && instance->class_ &&
        size_class_member(self, instance->class_, TEXT("__call__"), &member, &owner) &&
        member.kind == THING_FUNCTION) /* a part that rules/sizes.py made: its work is the model's */
        return size_run_function(self, scope, expr, member.function, callee, args);
    if (!entry) return as_inferred(self, scope, expr);
    if (!instance->class_ || !size_class_member(self, instance->class_, TEXT("__call__"), &member, &owner) ||
        member.kind != THING_FUNCTION)
        return call_api(self, scope, expr, entry, callee, args);
    Operation operation;
    size_begin(self, &operation, args, callee);
    Thing result = size_run_function(self, scope, expr, member.function, callee, args);
    size_end(self, scope, expr, entry, &result);
    return result;
}

static Thing call_bound(Sizes *self, Scope *scope, ExprId expr, Thing callee, const CallArgs *args) {
    const struct BoundThing *bound = callee.bound;
    if (callee.id == 1) { /* wrapped in the block of a `with` */
        CallArgs none = {0};
        bool found, no_grad = self->no_grad;
        Autocast autocast = self->autocast;
        (void)size_method(self, scope, expr, bound->receiver, "__enter__", &none, &found);
        Thing result = size_call_thing(self, scope, expr, bound->callee, args);
        self->no_grad = no_grad, self->autocast = autocast;
        return result;
    }
    if (bound->arguments) { /* a partial */
        CallArgs all = *args;
        uint32_t more = bound->arguments->items.count;
        if (more + args->count >= CALL_ARGUMENTS) return thing_unknown();
        memmove(all.items + more, all.items, sizeof *all.items * args->count);
        memcpy(all.items, bound->arguments->items.items, sizeof *all.items * more);
        all.count += more;
        for (uint32_t i = 0; bound->named && i < bound->named->keys.count && all.named_count < CALL_ARGUMENTS;
             i++) {
            all.names[all.named_count] = bound->named->keys.items[i].text;
            all.named[all.named_count++] = bound->named->values.items[i];
        }
        return size_call_thing(self, scope, expr, bound->callee, &all);
    }
    if (bound->callee.kind == THING_FUNCTION)
        return size_run_function(self, scope, expr, bound->callee.function, bound->receiver, args);
    if (bound->callee.kind == THING_API)
        return call_api(self, scope, expr, bound->callee.id, bound->receiver, args);
    return size_call_thing(self, scope, expr, bound->callee, args);
}

Thing size_call_thing(Sizes *self, Scope *scope, ExprId expr, Thing callee, const CallArgs *args) {
    if (self->depth >= DEPTH_MOST || self->fuel <= 0) return thing_unknown();
    size_spend(self, 1);
    switch ((ThingKind)callee.kind) {
    case THING_FUNCTION: return size_run_function(self, scope, expr, callee.function, thing_unknown(), args);
    case THING_CLASS: return size_make(self, scope, expr, callee.class_, args);
    case THING_INSTANCE: {
        self->depth++;
        Thing result = call_instance(self, scope, expr, callee, args);
        self->depth--;
        return result;
    }
    case THING_API: return call_api(self, scope, expr, callee.id, thing_unknown(), args);
    case THING_BOUND: {
        self->depth++;
        Thing result = call_bound(self, scope, expr, callee, args);
        self->depth--;
        return result;
    }
    case THING_PRIMITIVE: return size_word(self, scope, expr, callee.id, args);
    default: return as_inferred(self, scope, expr);
    }
}

Thing size_method(Sizes *self, Scope *scope, ExprId expr, Thing receiver, const char *name,
                  const CallArgs *args, bool *found) {
    Thing method = size_attribute(self, scope, expr, receiver, text_of(name));
    *found = method.kind != THING_UNKNOWN;
    return *found ? size_call_thing(self, scope, expr, method, args) : thing_unknown();
}

/* ---- call expressions ---- */

static void push_named(CallArgs *args, Text name, Thing value) {
    if (args->named_count == CALL_ARGUMENTS) return;
    args->names[args->named_count] = name;
    args->named[args->named_count++] = value;
}

/* One place is kept free for a method's receiver. */
static void push_positional(Sizes *self, CallArgs *args, Thing value) {
    if (args->count + 1 < CALL_ARGUMENTS) {
        args->items[args->count++] = value;
        return;
    }
    Thing list = {.kind = THING_LIST, .list = args->more};
    if (!list.list) list = thing_list(self->arena, true);
    list_push(self->arena, list, value);
    args->more = list.list;
}

/* An object with keys and items. */
static void push_items(Sizes *self, Scope *scope, CallArgs *args, ExprId id, Thing value) {
    CallArgs none = {0};
    bool found;
    Thing list = size_method(self, scope, id, value, python_text(PY_items).bytes, &none, &found);
    args->open |= !found || list.kind != THING_LIST || list.list->open;
    for (uint32_t i = 0; found && list.kind == THING_LIST && i < list.list->items.count; i++) {
        Thing pair = list.list->items.items[i];
        bool named = pair.kind == THING_LIST && pair.list->items.count == 2 &&
                     pair.list->items.items[0].kind == THING_TEXT;
        if (named) push_named(args, pair.list->items.items[0].text, pair.list->items.items[1]);
        args->open |= !named;
    }
}

static void push_argument(Sizes *self, Scope *scope, CallArgs *args, ExprId id) {
    const Expr *part = &scope->model->exprs.items[id];
    Thing value =
        size_eval(self, scope, part->kind >= EXPR_KEYWORD && part->kind <= EXPR_DOUBLE_STAR ? part->a : id);
    if (part->kind == EXPR_KEYWORD) {
        push_named(args, model_name(scope->model, part->name), value);
    } else if (part->kind == EXPR_DOUBLE_STAR && value.kind == THING_INSTANCE) {
        push_items(self, scope, args, part->a, value);
    } else if (part->kind == EXPR_DOUBLE_STAR) {
        args->open |= value.kind != THING_DICT || value.dict->open;
        for (uint32_t i = 0; value.kind == THING_DICT && i < value.dict->keys.count; i++)
            if (value.dict->keys.items[i].kind == THING_TEXT)
                push_named(args, value.dict->keys.items[i].text, value.dict->values.items[i]);
    } else if (part->kind == EXPR_STAR) {
        Thing list = size_iterated(self, scope, part->a, value);
        args->open |= list.list->open;
        if (list.list->open) args->starred = list.list;
        for (uint32_t i = 0; i < list.list->items.count; i++)
            push_positional(self, args, list.list->items.items[i]);
    } else {
        push_positional(self, args, value);
    }
}

static bool is_super(const Scope *scope, ExprId id) {
    const Expr *call = &scope->model->exprs.items[id];
    if (call->kind != EXPR_CALL) return false;
    const Expr *callee = &scope->model->exprs.items[call->a];
    return callee->kind == EXPR_NAME && python_is(PY_super, model_name(scope->model, callee->name));
}

static Thing call_super(Sizes *self, Scope *scope, ExprId id, Text name, const CallArgs *args) {
    Thing member;
    Scope *method = scope;
    while (method->around && method->receiver.kind == THING_UNKNOWN) method = method->around;
    Thing receiver = method->receiver;
    if (receiver.kind != THING_INSTANCE) return as_inferred(self, scope, id);
    bool found = size_member_behind(self, receiver.instance->class_, method->class_, name, &member);
    if (found && member.kind == THING_FUNCTION)
        return size_run_function(self, scope, id, member.function, receiver, args);
    EntryId entry = receiver.instance->entry ? rulebook_member(self->book, receiver.instance->entry, name) : 0;
    return entry ? call_api(self, scope, id, entry, receiver, args) : as_inferred(self, scope, id);
}

/* An unknown callee that may be a model: what it queues is unknown. */
static bool is_unseen(const Scope *scope, ExprId id) {
    if (!scope->file) return false;
    if (!scope->context) return true;
    for (uint32_t i = 0; i < scope->context->unseen.count; i++)
        if (scope->context->unseen.items[i] == id) return true;
    return false;
}

Thing size_eval_call(Sizes *self, Scope *scope, ExprId id) {
    const Expr *call = &scope->model->exprs.items[id];
    const Expr *callee = &scope->model->exprs.items[call->a];
    CallArgs args;
    Thing called = thing_unknown(), receiver = thing_unknown(), result;
    call_args_clear(&args);
    bool named = callee->kind == EXPR_ATTRIBUTE, super = named && is_super(scope, callee->a);
    Text name = named ? model_name(scope->model, callee->name) : (Text){0};
    if (named && !super) {
        receiver = size_eval(self, scope, callee->a);
        called = size_attribute(self, scope, call->a, receiver, name);
    } else if (!super) {
        called = size_eval(self, scope, call->a);
    }
    for (uint32_t i = 0; i < call->list.count; i++)
        push_argument(self, scope, &args, scope->model->links.items[call->list.first + i]);
    if (super) return call_super(self, scope, id, name, &args);
    if (size_text_method(self, receiver, name, &args, &result)) return result;
    if (called.kind == THING_UNKNOWN && named && scope->context)
        called = size_taken(self, infer_fact(scope->context, scope->model, call->a));
    if (called.kind == THING_UNKNOWN && self->recording && scope->node && is_unseen(scope, id))
        scope->node->total.open = true;
    return size_call_thing(self, scope, id, called, &args);
}
