/* Statements: environments along the path, branches that may be taken, loops that are unrolled or widened. */
#include "sizer.h"
#include "walk_list.h"
#include "python_names.h"

static void exec_stmt(Sizes *self, Scope *scope, const Stmt *stmt);

void size_exec_block(Sizes *self, Scope *scope, List block) {
    for (uint32_t i = 0; i < block.count && !scope->left && self->fuel > 0; i++)
        exec_stmt(self, scope, &scope->model->stmts.items[scope->model->links.items[block.first + i]]);
}

/* ---- branches ---- */

static uint32_t slot_count(const Scope *scope) {
    return scope->model->funcs.items[scope->func].local_count + 1;
}

typedef struct Variables {
    Thing *slots;
    bool *bound;
    uint8_t left;
    Tally total;
} Variables;

static Variables variables_copy(Sizes *self, const Scope *scope) {
    uint32_t count = slot_count(scope);
    self->steps -= count / 8;
    return (Variables){arena_copy(self->arena, scope->slots, sizeof *scope->slots * count),
                       arena_copy(self->arena, scope->bound, sizeof *scope->bound * count),
                       scope->left,
                       {0}};
}

static void variables_put(Scope *scope, const Variables *from) {
    uint32_t count = slot_count(scope);
    memcpy(scope->slots, from->slots, sizeof *scope->slots * count);
    memcpy(scope->bound, from->bound, sizeof *scope->bound * count);
}

static void variables_join(Sizes *self, Scope *scope, const Variables *other) {
    for (uint32_t i = 1; i < slot_count(scope); i++) {
        if (!other->bound[i]) continue;
        scope->slots[i] = scope->bound[i]
                              ? thing_join(self->arena, &self->numbers, scope->slots[i], other->slots[i])
                              : other->slots[i];
        scope->bound[i] = true;
    }
}

static Tally *total_of(const Sizes *self, const Scope *scope) {
    return self->recording && scope->node ? &scope->node->total : NULL;
}

/* Which branch is taken is unknown: runs both and joins. */
static void exec_both_branches(Sizes *self, Scope *scope, List a, List b) {
    Tally *total = total_of(self, scope), before = total ? *total : (Tally){0}, first = {0};
    Variables start = variables_copy(self, scope);
    self->maybe++;
    if (total) *total = (Tally){.times = before.times};
    size_exec_block(self, scope, a);
    if (total) first = *total, *total = (Tally){.times = before.times};
    Variables after_a = variables_copy(self, scope);
    variables_put(scope, &start);
    uint8_t left_a = scope->left;
    scope->left = LEFT_NO;
    size_exec_block(self, scope, b);
    self->maybe--;
    if (total) {
        Tally second = *total;
        *total = before;
        tally_either(self->arena, total, &first, &second);
    }
    if (left_a && scope->left) return;
    if (scope->left)
        variables_put(scope, &after_a);
    else if (!left_a)
        variables_join(self, scope, &after_a);
    scope->left = LEFT_NO;
}

static bool only_names_are_set(const Scope *scope, List block) {
    uint32_t set = 0;
    for (uint32_t i = 0; i < block.count; i++) {
        const Stmt *stmt = &scope->model->stmts.items[scope->model->links.items[block.first + i]];
        if (stmt->kind == STMT_PASS) continue;
        set++;
        if (stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return false;
        const Expr *target = &scope->model->exprs.items[scope->model->links.items[stmt->list.first]];
        if (target->kind != EXPR_NAME) return false;
    }
    return set > 0;
}

/* A branch that does not run by the default of an option, and may by the option that a user gives: `if args.cuda: x = x.cuda()`.
   What its operations work on is found out and nothing else. */
static void exec_aside(Sizes *self, Scope *scope, List block) {
    Tally *total = total_of(self, scope), before = total ? *total : (Tally){0};
    if (!total || !scope->file || !only_names_are_set(scope, block)) return;
    Variables start = variables_copy(self, scope);
    *total = (Tally){.times = before.times};
    size_exec_block(self, scope, block);
    *total = before;
    variables_put(scope, &start);
    scope->left = LEFT_NO;
}

static void exec_if(Sizes *self, Scope *scope, const Stmt *stmt) {
    Thing truth = size_truth_of(self, size_eval(self, scope, stmt->a));
    if (truth.kind != THING_BOOL) {
        exec_both_branches(self, scope, stmt->body, stmt->orelse);
        return;
    }
    exec_aside(self, scope, truth.number.times ? stmt->orelse : stmt->body);
    size_exec_block(self, scope, truth.number.times ? stmt->body : stmt->orelse);
}

/* ---- loops ---- */

/* Widening: a number that an iteration changes may have any value between and beyond the two. */
static Thing widened(Sizes *self, Thing before, Thing after) {
    if (things_same(before, after)) return after;
    Numbers *numbers = &self->numbers;
    if (thing_is_number(before) && thing_is_number(after)) {
        Amount a = number_range(numbers, before.number), b = number_range(numbers, after.number);
        double low = b.low < a.low ? -__builtin_inf() : a.low,
               high = b.high > a.high ? __builtin_inf() : a.high;
        if (low < 0 && a.low >= 0) low = 0;
        return thing_number(number_unknown(numbers, low, high, number_name(numbers, after.number)));
    }
    if (before.kind != after.kind) return thing_unknown();
    bool grows = before.kind == THING_TENSOR && before.tensor->rank == after.tensor->rank;
    if (!grows) return thing_join(self->arena, numbers, before, after);
    Thing made = {.kind = THING_TENSOR, .tensor = arena_copy(self->arena, after.tensor, sizeof *after.tensor)};
    for (int i = 0; i < made.tensor->rank; i++)
        made.tensor->dims[i] =
            widened(self, thing_number(before.tensor->dims[i]), thing_number(after.tensor->dims[i])).number;
    return made;
}

static void widen_slots(Sizes *self, Scope *scope, const Variables *before) {
    for (uint32_t i = 1; i < slot_count(scope); i++)
        if (before->bound[i] && scope->bound[i])
            scope->slots[i] = widened(self, before->slots[i], scope->slots[i]);
}

typedef struct Walking {
    const Stmt *stmt;
    Thing over; /* what a `for` iterates over; unknown for a `while` */
} Walking;

static void bind_turn(Sizes *self, Scope *scope, const Walking *walking, Thing item) {
    if (walking->stmt->kind == STMT_FOR) size_assign(self, scope, walking->stmt->a, item);
}

static void exec_turn(Sizes *self, Scope *scope, const Walking *walking, Thing item) {
    bind_turn(self, scope, walking, item);
    size_exec_block(self, scope, walking->stmt->body);
    if (scope->left == LEFT_CONTINUE) scope->left = LEFT_NO;
}

static Thing any_item(Sizes *self, Thing over) {
    if (over.kind != THING_LIST) return thing_unknown();
    if (!over.list->items.count) return over.list->rest;
    Thing any = over.list->items.items[0];
    for (uint32_t i = 1; i < over.list->items.count && i < UNROLL_MOST; i++)
        any = thing_join(self->arena, &self->numbers, any, over.list->items.items[i]);
    return any;
}

static Amount turns_of(Sizes *self, Thing over) {
    if (over.kind != THING_LIST) return amount_unknown();
    double counted = over.list->items.count;
    if (!over.list->open) return (Amount){counted, counted};
    if (!over.list->length.of && over.list->length.times == 0) return (Amount){counted, __builtin_inf()};
    return number_amount(&self->numbers, over.list->length);
}

void size_note_turns(Sizes *self, const Scope *scope, LoopId loop, Thing over) {
    Amount turns = turns_of(self, over);
    SizeNode *node = scope->node;
    if (!self->recording || !node || !scope->file) return;
    uint32_t at = FIRST_FROM(node->loops.items, node->loops.count, loop, loop);
    SizeLoop *known =
        at < node->loops.count && node->loops.items[at].loop == loop ? &node->loops.items[at] : NULL;
    if (known)
        known->turns.low += turns.low, known->turns.high += turns.high, known->times++;
    else
        vec_insert(self->arena, &node->loops, at, ((SizeLoop){loop, turns, 1}));
}

/* Runs one iteration that stands for all: once to see what it changes, then again with those variables widened. */
static void exec_any_turn(Sizes *self, Scope *scope, const Walking *walking, Amount turns) {
    Variables before = variables_copy(self, scope);
    bool recording = self->recording;
    Number iterations = self->iterations;
    self->recording = false, self->turning++;
    self->iterations = number_of(0);
    if (walking->over.kind == THING_LIST)
        self->iterations =
            walking->over.list->open ? walking->over.list->length : number_of(walking->over.list->items.count);
    Thing item = any_item(self, walking->over);
    size_spend(self, 2);
    exec_turn(self, scope, walking, item);
    widen_slots(self, scope, &before);
    self->recording = recording;
    scope->left = LEFT_NO;
    Tally *total = total_of(self, scope), outer = total ? *total : (Tally){0};
    if (total) *total = (Tally){.times = outer.times};
    exec_turn(self, scope, walking, item);
    if (total) {
        Tally turn = *total;
        *total = outer;
        tally_add(self->arena, total, &turn, turns);
    }
    if (scope->left == LEFT_BREAK || scope->left == LEFT_RETURN || scope->left == LEFT_RAISE)
        scope->left = LEFT_NO;
    self->turning--, self->iterations = iterations;
    variables_join(self, scope, &before);
}

static void merge_node(Sizes *self, SizeNode *into, const SizeNode *from) {
    for (uint32_t i = 0; i < from->works.count; i++) {
        const SizeWork *work = &from->works.items[i];
        uint32_t at = FIRST_FROM(into->works.items, into->works.count, expr, work->expr + 1);
        vec_insert(self->arena, &into->works, at, *work);
    }
    for (uint32_t i = 0; i < from->loops.count; i++) {
        const SizeLoop *loop = &from->loops.items[i];
        uint32_t at = FIRST_FROM(into->loops.items, into->loops.count, loop, loop->loop + 1);
        vec_insert(self->arena, &into->loops, at, *loop);
    }
    for (uint32_t i = 0; i < from->calls.count; i++) {
        const SizeCall *below = &from->calls.items[i];
        SizeCall copy = {below->call, arena_copy(self->arena, below->node, sizeof *below->node)};
        vec_insert(self->arena, &into->calls, FIRST_FROM(into->calls.items, into->calls.count, call, copy.call),
                   copy);
    }
}

/* Runs one iteration of a hot loop, recording its calls in a tree of its own. */
static void exec_hot_iteration(Sizes *self, Scope *scope, const Walking *walking, SizeTurn *turn,
                               Amount turns) {
    SizeNode *outer = scope->node;
    bool recording = self->recording;
    uint32_t unrolled = self->unrolled;
    self->reached++, self->unrolled = 1;
    size_begin_turn(self, scope, turn);
    exec_any_turn(self, scope, walking, (Amount){1, 1});
    self->recording = recording, self->unrolled = unrolled;
    scope->node = outer;
    if (!recording && !outer && !self->waiting && !self->shapes) self->fuel = 0; /* all wanted loops are done */
    if (!recording || !outer) return;
    merge_node(self, outer, turn->node);
    tally_add(self->arena, &outer->total, &turn->node->total, turns);
}

static uint32_t nest_of(const Sizes *self, Thing over) {
    uint64_t nest = (uint64_t)self->unrolled * over.list->items.count;
    return nest > UINT32_MAX ? UINT32_MAX : nest ? (uint32_t)nest : 1;
}

static void exec_all_turns(Sizes *self, Scope *scope, const Walking *walking) {
    uint32_t reached = self->reached, unrolled = self->unrolled;
    Variables before = variables_copy(self, scope);
    if (scope->file) self->unrolled = nest_of(self, walking->over);
    for (uint32_t i = 0; i < walking->over.list->items.count && self->fuel > 0; i++) {
        size_spend(self, 1);
        exec_turn(self, scope, walking, walking->over.list->items.items[i]);
        if (scope->left == LEFT_BREAK) {
            scope->left = LEFT_NO;
            break;
        }
        if (scope->left) break;
        if (reached == self->reached || self->recording) continue;
        if (scope->left != LEFT_RETURN) scope->left = LEFT_NO;
        widen_slots(self, scope, &before); /* it contains a hot loop: epochs are alike */
        break;
    }
    self->unrolled = unrolled;
}

/* Each parameter of a model has a size of its own: `for p, q in zip(a.parameters(), b.parameters())`. Layers are unrolled however deep
   the nest is; 60 classes of 12 pictures with 11 strokes of 10 points are 720 pictures and one stroke that stands for all. */
static bool is_counted(const Sizes *self, const Scope *scope, Thing over) {
    if (over.kind != THING_LIST || over.list->open) return false;
    Thing first = over.list->items.count ? over.list->items.items[0] : thing_unknown();
    if (first.kind == THING_LIST && first.list->items.count) first = first.list->items.items[0];
    bool tensors = first.kind == THING_TENSOR;
    if (scope->file && (tensors || thing_is_number(first)) && nest_of(self, over) > NEST_MOST) return false;
    return over.list->items.count <= (tensors ? TENSORS_MOST : UNROLL_MOST);
}

static void exec_loop(Sizes *self, Scope *scope, const Stmt *stmt) {
    Walking walking = {.stmt = stmt};
    if (stmt->kind == STMT_FOR)
        walking.over = size_iterated(self, scope, stmt->b, size_eval(self, scope, stmt->b));
    else
        (void)size_eval(self, scope, stmt->a);
    Amount turns = turns_of(self, walking.over);
    size_note_turns(self, scope, stmt->loop, walking.over);
    SizeTurn *turn = scope->file && stmt->loop ? size_wanted(self, scope->file, scope->func, stmt->loop) : NULL;
    bool counted = is_counted(self, scope, walking.over);
    bool layers =
        counted && walking.over.list->items.count && !thing_is_number(walking.over.list->items.items[0]);
    if (turn && !turn->node && layers) {
        Variables before = variables_copy(self, scope);
        bool recording = self->recording;
        self->recording = false;
        exec_hot_iteration(self, scope, &walking, turn, turns);
        self->recording = recording;
        variables_put(scope, &before);
        exec_all_turns(self, scope, &walking);
    } else if (turn && !turn->node)
        exec_hot_iteration(self, scope, &walking, turn, turns);
    else if (counted)
        exec_all_turns(self, scope, &walking);
    else
        exec_any_turn(self, scope, &walking, turns);
    if (!scope->left) size_exec_block(self, scope, stmt->orelse);
}

/* ---- imports ---- */

static Thing imported(Sizes *self, const Scope *scope, const Import *import) {
    const Program *program = self->inference->program;
    Text module = program_import_name(self->arena, program, scope->file, import, false);
    Text full = program_import_name(self->arena, program, scope->file, import, true);
    Sym sym = names_find(&program->names, full), outer = names_find(&program->names, module);
    FileId file = sym ? program_import(program, scope->file, sym) : 0;
    if (file) return (Thing){.kind = THING_FILE, .id = file};
    if (outer && (file = program_import(program, scope->file, outer)) && import->name) {
        Thing from = {.kind = THING_FILE, .id = file};
        return size_attribute(self, NULL, 0, from, model_name(scope->model, import->name));
    }
    EntryId entry = file ? 0 : rulebook_find(self->book, full);
    return entry ? (Thing){.kind = THING_API, .id = entry} : thing_unknown();
}

static void exec_imports(Sizes *self, Scope *scope, const Stmt *stmt) {
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Import *import = &scope->model->imports.items[scope->model->links.items[stmt->list.first + i]];
        if (!import->target || !scope->file) continue;
        Thing value = imported(self, scope, import);
        if (!import->name && !import->alias) { /* `import a.b` binds a */
            Text module = model_name(scope->model, import->module);
            uint32_t dot = 0;
            while (dot < module.length && module.bytes[dot] != '.') dot++;
            EntryId entry =
                value.kind == THING_FILE ? 0 : rulebook_find(self->book, text_slice(module, 0, dot));
            if (dot < module.length) value = entry ? (Thing){.kind = THING_API, .id = entry} : thing_unknown();
        }
        if (value.kind != THING_UNKNOWN) size_assign(self, scope, import->target, value);
    }
}

/* ---- definitions ---- */

/* @property and the like change how a function is called; any other decorator is ignored, except a context
   manager, whose block wraps the call. */
static Thing decorated(Sizes *self, Scope *scope, List decorators, Thing made) {
    for (uint32_t i = scope->file ? decorators.count : 0; i-- > 0;) {
        ExprId id = scope->model->links.items[decorators.first + i];
        Thing value = size_eval(self, scope, id);
        if (value.kind == THING_CLASS && !value.class_->file) { /* @torch.no_grad without parentheses */
            CallArgs none = {0};
            value = size_make(self, scope, id, value.class_, &none);
        }
        bool enters = value.kind == THING_INSTANCE && value.instance->class_ && !value.instance->class_->file;
        if (enters) made = (Thing){.kind = THING_BOUND, .id = 1, .bound = size_bound(self, value, made).bound};
    }
    return made;
}

static void exec_def(Sizes *self, Scope *scope, const Stmt *stmt) {
    const Func *func = &scope->model->funcs.items[stmt->func];
    Function *made = arena_new(self->arena, Function, 1);
    *made = (Function){scope->file, stmt->func, scope, scope->class_};
    Thing value = {.kind = THING_FUNCTION, .function = made};
    size_assign(self, scope, stmt->b, decorated(self, scope, func->decorators, value));
}

static void exec_class(Sizes *self, Scope *scope, const Stmt *stmt) {
    ClassThing *made = size_class(self, scope->file, stmt->class_id, scope);
    size_assign(self, scope, stmt->b, (Thing){.kind = THING_CLASS, .class_ = made});
}

/* ---- with, try, match ---- */

static void exec_with(Sizes *self, Scope *scope, const Stmt *stmt) {
    Thing entered[8];
    uint32_t count = 0;
    CallArgs none = {0};
    bool found;
    Autocast autocast = self->autocast;
    bool no_grad = self->no_grad;
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *item = &scope->model->stmts.items[scope->model->links.items[stmt->list.first + i]];
        Thing value = size_eval(self, scope, item->a), as = value;
        if (value.kind == THING_INSTANCE) {
            Thing given = size_method(self, scope, item->a, value, "__enter__", &none, &found);
            if (found && given.kind != THING_NONE) as = given;
            if (count < 8) entered[count++] = value;
        }
        if (item->b) size_assign(self, scope, item->b, as);
    }
    size_exec_block(self, scope, stmt->body);
    uint8_t left = scope->left;
    scope->left = LEFT_NO;
    while (count) (void)size_method(self, scope, 0, entered[--count], "__exit__", &none, &found);
    self->autocast = autocast, self->no_grad = no_grad;
    scope->left = left;
}

static void exec_try(Sizes *self, Scope *scope, const Stmt *stmt) {
    size_exec_block(self, scope, stmt->body);
    if (scope->left == LEFT_RAISE) scope->left = LEFT_NO;
    if (!scope->left) size_exec_block(self, scope, stmt->orelse);
    uint8_t left = scope->left;
    scope->left = LEFT_NO;
    size_exec_block(self, scope, stmt->final);
    if (!scope->left) scope->left = left;
}

static void exec_match(Sizes *self, Scope *scope, const Stmt *stmt) {
    (void)size_eval(self, scope, stmt->a);
    List nothing = {0};
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *one = &scope->model->stmts.items[scope->model->links.items[stmt->list.first + i]];
        exec_both_branches(self, scope, one->body, nothing);
    }
}

/* ---- simple statements ---- */

static void exec_return(Sizes *self, Scope *scope, const Stmt *stmt) {
    Thing value = stmt->a ? size_eval(self, scope, stmt->a) : thing_none();
    scope->result = scope->returned ? thing_join(self->arena, &self->numbers, scope->result, value) : value;
    scope->returned = true;
    scope->left = LEFT_RETURN;
}

static void exec_augment(Sizes *self, Scope *scope, const Stmt *stmt) {
    Thing old = size_eval(self, scope, stmt->a), value = size_eval(self, scope, stmt->b);
    if (old.kind == THING_LIST && stmt->op == OP_ADD) { /* in place: other references see it too */
        Thing more = size_iterated(self, scope, stmt->b, value);
        size_extend(self, old, more);
        if (!old.list->tuple) return;
    }
    Thing made = thing_unknown();
    if (old.kind == THING_TENSOR || value.kind == THING_TENSOR)
        made = size_operator(self, scope, stmt->a, (Operator)stmt->op, old, value);
    else if (thing_is_number(old) && thing_is_number(value)) {
        Numbers *numbers = &self->numbers;
        switch ((Operator)stmt->op) {
        case OP_ADD: made = thing_number(number_add(numbers, old.number, value.number)); break;
        case OP_SUB: made = thing_number(number_subtract(numbers, old.number, value.number)); break;
        case OP_MUL: made = thing_number(number_multiply(numbers, old.number, value.number)); break;
        case OP_FLOORDIV:
            made = thing_number(number_computed(numbers, NUMBER_FLOOR, old.number, value.number));
            break;
        case OP_DIV: made = thing_number(number_divide(numbers, old.number, value.number)); break;
        default: break;
        }
    } else if (old.kind == THING_LIST)
        made = old;
    size_assign(self, scope, stmt->a, made);
}

static void exec_assign(Sizes *self, Scope *scope, const Stmt *stmt) {
    if (!stmt->b) return;
    Thing value = size_eval(self, scope, stmt->b);
    for (uint32_t i = 0; i < stmt->list.count; i++)
        size_assign(self, scope, scope->model->links.items[stmt->list.first + i], value);
}

static void exec_stmt(Sizes *self, Scope *scope, const Stmt *stmt) {
    if (size_stopped(self)) return;
    switch ((StmtKind)stmt->kind) {
    case STMT_EXPR: (void)size_eval(self, scope, stmt->a); break;
    case STMT_ASSIGN: exec_assign(self, scope, stmt); break;
    case STMT_AUGMENT: exec_augment(self, scope, stmt); break;
    case STMT_RETURN: exec_return(self, scope, stmt); break;
    case STMT_RAISE: scope->left = LEFT_RAISE; break;
    case STMT_BREAK: scope->left = LEFT_BREAK; break;
    case STMT_CONTINUE: scope->left = LEFT_CONTINUE; break;
    case STMT_IMPORT: exec_imports(self, scope, stmt); break;
    case STMT_IF: exec_if(self, scope, stmt); break;
    case STMT_WHILE:
    case STMT_FOR: exec_loop(self, scope, stmt); break;
    case STMT_TRY: exec_try(self, scope, stmt); break;
    case STMT_WITH: exec_with(self, scope, stmt); break;
    case STMT_FUNCTION: exec_def(self, scope, stmt); break;
    case STMT_CLASS: exec_class(self, scope, stmt); break;
    case STMT_MATCH: exec_match(self, scope, stmt); break;
    default: break;
    }
}
