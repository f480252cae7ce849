/* Builds blocks and edges from a function's statements. */
#include "graph_make.h"
#include "python_names.h"

typedef enum Jump { JUMP_RETURN, JUMP_RAISE, JUMP_BREAK, JUMP_CONTINUE, JUMPS } Jump;
typedef enum FrameKind { FRAME_LOOP, FRAME_TRY, FRAME_FINALLY } FrameKind;

/* A construct that a jump passes on its way out; innermost first. */
struct Frame {
    Frame *outer;
    FrameKind kind;
    BlockId head,
        after; /* of a loop: where `continue` and `break` lead; of others head: the handlers, the `finally` */
    bool pending[JUMPS]; /* of a `finally`: what goes on behind it */
};

static void stmts(GraphMaking *self, List list);

static const Stmt *stmt_at(const GraphMaking *self, uint32_t link) {
    return &self->model->stmts.items[self->model->links.items[link]];
}

static BlockId begin(GraphMaking *self) {
    vec_push(self->scratch, &self->blocks, ((Block){.loop = self->loop}));
    return self->blocks.count - 1;
}

static void connect(GraphMaking *self, BlockId from, BlockId to, EdgeKind kind) {
    if (!from) return;
    vec_push(self->scratch, &self->edges, ((FlowEdge){from, to, (uint8_t)kind}));
    self->blocks.items[to].first_in++; /* counts incoming edges at this stage */
}

static bool has_predecessor(const GraphMaking *self, BlockId block) {
    return self->blocks.items[block].first_in > 0;
}

/* Continues in `block` if something leads there; else the next statement is unreachable. */
static void continue_in(GraphMaking *self, BlockId block) {
    self->current = has_predecessor(self, block) ? block : 0;
}

/* The block to which an exception of the current step goes; 0 = out of the function. */
static BlockId raised_to(GraphMaking *self) {
    for (Frame *frame = self->frames; frame; frame = frame->outer) {
        if (frame->kind == FRAME_LOOP) continue;
        frame->pending[JUMP_RAISE] = true;
        return frame->head;
    }
    return 0;
}

static BlockId target_of(const GraphMaking *self, Jump jump) {
    for (Frame *frame = self->frames; frame; frame = frame->outer) {
        bool loop = frame->kind == FRAME_LOOP;
        if (loop && jump == JUMP_BREAK) return frame->after;
        if (loop && jump == JUMP_CONTINUE) return frame->head;
        if (frame->kind == FRAME_TRY && jump == JUMP_RAISE) return frame->head;
        if (frame->kind != FRAME_FINALLY) continue;
        frame->pending[jump] = true;
        return frame->head;
    }
    return MAKING_EXIT;
}

static void leave(GraphMaking *self, Jump jump) {
    connect(self, self->current, target_of(self, jump), EDGE_GOES);
    self->current = 0;
}

static bool raises(uint8_t kind) {
    return kind != STMT_PASS && kind != STMT_BREAK && kind != STMT_CONTINUE && kind != STMT_GLOBAL &&
           kind != STMT_NONLOCAL && kind != STMT_TRY;
}

enum { STMTS_MOST = (1 << 29) - 1 };

static void step(GraphMaking *self, const Stmt *stmt, StepKind kind) {
    StmtId id = (StmtId)(stmt - self->model->stmts.items);
    BlockId handler = raises(stmt->kind) ? raised_to(self) : 0, before = self->current;
    if (!before) self->current = begin(self);
    if (handler && self->blocks.items[self->current].end_step) {
        self->current = begin(self);
        connect(self, before, self->current, EDGE_GOES);
    }
    if (handler) connect(self, self->current, handler, EDGE_RAISES);
    FlowStep made = {.stmt = id & STMTS_MOST, .kind = kind & 7, .block = self->current};
    graph_accesses(self, &made);
    vec_push(self->scratch, &self->steps, made);
    Block *block = &self->blocks.items[self->current];
    if (!block->end_step) block->first_step = self->steps.count - 1;
    block->end_step = self->steps.count;
    BlockId *there = &self->stmt_blocks[id - self->func->first_stmt];
    if (!*there) *there = self->current;
}

/* Ends the current block with a test and its two outcomes. */
static BlockId ask(GraphMaking *self, const Stmt *stmt, ExprId condition) {
    Block *block = &self->blocks.items[self->current];
    block->test = (StmtId)(stmt - self->model->stmts.items);
    block->condition = condition;
    return self->current;
}

static BlockId branch(GraphMaking *self, BlockId from, EdgeKind kind) {
    BlockId block = begin(self);
    connect(self, from, block, kind);
    return block;
}

static void if_stmt(GraphMaking *self, const Stmt *stmt) {
    step(self, stmt, STEP_TEST);
    BlockId test = ask(self, stmt, stmt->a);
    self->current = branch(self, test, EDGE_TRUE);
    stmts(self, stmt->body);
    BlockId yes = self->current, no = test;
    if (stmt->orelse.count) {
        self->current = branch(self, test, EDGE_FALSE);
        stmts(self, stmt->orelse);
        no = self->current;
    }
    BlockId after = begin(self);
    connect(self, yes, after, EDGE_GOES);
    connect(self, no, after, no == test && !stmt->orelse.count ? EDGE_FALSE : EDGE_GOES);
    continue_in(self, after);
}

/* `while True:`, `while 1:` */
static bool is_forever(const GraphMaking *self, const Stmt *stmt) {
    const Expr *condition = &self->model->exprs.items[stmt->a];
    if (stmt->kind != STMT_WHILE) return false;
    return condition->kind == EXPR_TRUE ||
           (condition->kind == EXPR_INT && !text_is(model_name(self->model, condition->name), "0"));
}

static void loop_stmt(GraphMaking *self, const Stmt *stmt) {
    if (stmt->kind == STMT_FOR) step(self, stmt, STEP_ITER);
    BlockId before = self->current, after = begin(self);
    LoopId outer = self->loop;
    self->loop = stmt->loop;
    BlockId head = self->current = begin(self);
    connect(self, before, head, EDGE_GOES);
    self->heads[stmt->loop - self->func->first_loop] = head;
    if (stmt->kind == STMT_WHILE) step(self, stmt, STEP_TEST);
    ask(self, stmt, stmt->kind == STMT_WHILE ? stmt->a : 0);
    Frame frame = {.outer = self->frames, .kind = FRAME_LOOP, .head = head, .after = after};
    self->frames = &frame;
    self->current = branch(self, head, EDGE_TRUE);
    if (stmt->kind == STMT_FOR) step(self, stmt, STEP_BIND);
    stmts(self, stmt->body);
    connect(self, self->current, head, EDGE_GOES);
    self->frames = frame.outer;
    self->loop = outer;
    self->current = 0;
    if (stmt->orelse.count) {
        if (!is_forever(self, stmt)) self->current = branch(self, head, EDGE_FALSE);
        stmts(self, stmt->orelse);
        connect(self, self->current, after, EDGE_GOES);
    } else if (!is_forever(self, stmt)) {
        connect(self, head, after, EDGE_FALSE);
    }
    continue_in(self, after);
}

static bool catches_all(const GraphMaking *self, const Stmt *handler) {
    const Expr *class_ = &self->model->exprs.items[handler->a];
    Text name = class_->kind == EXPR_NAME ? model_name(self->model, class_->name) : (Text){0};
    return !handler->a || python_is(PY_Exception, name) || python_is(PY_BaseException, name);
}

static void handlers(GraphMaking *self, List list, BlockId first, BlockId after) {
    BlockId test = first;
    for (uint32_t i = 0; i < list.count; i++) {
        const Stmt *handler = stmt_at(self, list.first + i);
        self->current = test;
        if (handler->a) step(self, handler, STEP_TEST);
        test = ask(self, handler, 0);
        self->current = branch(self, test, EDGE_TRUE);
        step(self, handler, STEP_BIND);
        stmts(self, handler->body);
        connect(self, self->current, after, EDGE_GOES);
        bool last = i + 1 == list.count;
        if (catches_all(self, handler)) {
            test = last ? 0 : begin(self); /* later handlers are unreachable */
        } else if (!last) {
            test = branch(self, test, EDGE_FALSE);
        }
        if (!last || catches_all(self, handler)) continue;
        connect(self, test, target_of(self, JUMP_RAISE), EDGE_FALSE);
    }
}

static void after_finally(GraphMaking *self, const Frame *frame, bool goes_on, BlockId after) {
    BlockId end = self->current;
    if (goes_on) connect(self, end, after, EDGE_GOES);
    for (Jump jump = JUMP_RETURN; jump < JUMPS; jump++) {
        if (!frame->pending[jump]) continue;
        self->current = end;
        leave(self, jump);
    }
}

static void try_stmt(GraphMaking *self, const Stmt *stmt) {
    step(self, stmt, STEP_RUN);
    Frame *outer = self->frames;
    BlockId joined = begin(self), after = joined;
    Frame finally = {.outer = outer, .kind = FRAME_FINALLY}, caught = {.kind = FRAME_TRY};
    if (stmt->final.count) finally.head = begin(self), self->frames = &finally;
    caught.outer = self->frames;
    if (stmt->list.count) caught.head = begin(self), self->frames = &caught;
    BlockId body = begin(self);
    connect(self, self->current, body, EDGE_GOES);
    self->current = body;
    stmts(self, stmt->body);
    self->frames = caught.outer;
    BlockId end = self->current;
    handlers(self, stmt->list, caught.head, joined);
    self->current = stmt->orelse.count && end ? branch(self, end, EDGE_GOES) : end;
    stmts(self, stmt->orelse);
    connect(self, self->current, joined, EDGE_GOES);
    self->frames = outer;
    if (stmt->final.count) {
        bool goes_on = has_predecessor(self, joined);
        if (goes_on) connect(self, joined, finally.head, EDGE_GOES);
        after = begin(self);
        self->current = finally.head;
        stmts(self, stmt->final);
        after_finally(self, &finally, goes_on, after);
    }
    continue_in(self, after);
}

static void with_stmt(GraphMaking *self, const Stmt *stmt) {
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        step(self, stmt_at(self, stmt->list.first + i), STEP_ENTER);
        BlockId *there = &self->stmt_blocks[(StmtId)(stmt - self->model->stmts.items) - self->func->first_stmt];
        if (!*there) *there = self->current;
    }
    stmts(self, stmt->body);
}

/* Patterns that always match: `case _:`, `case x:`. */
static bool takes_all(const GraphMaking *self, const Stmt *one) {
    uint8_t kind = one->list.count ? self->model->exprs.items[self->model->links.items[one->list.first]].kind
                                   : EXPR_ELLIPSIS;
    return kind == EXPR_ELLIPSIS || kind == EXPR_NAME;
}

static void match_stmt(GraphMaking *self, const Stmt *stmt) {
    step(self, stmt, STEP_RUN);
    BlockId after = begin(self), next = begin(self);
    connect(self, self->current, next, EDGE_GOES);
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *one = stmt_at(self, stmt->list.first + i);
        self->current = next;
        step(self, one, STEP_TEST);
        BlockId test = ask(self, one, 0);
        next = takes_all(self, one) ? begin(self) : branch(self, test, EDGE_FALSE);
        self->current = branch(self, test, EDGE_TRUE);
        step(self, one, STEP_BIND);
        if (one->a) {
            step(self, one, STEP_GUARD);
            BlockId guard = ask(self, one, one->a);
            connect(self, guard, next, EDGE_FALSE);
            self->current = branch(self, guard, EDGE_TRUE);
        }
        stmts(self, one->body);
        connect(self, self->current, after, EDGE_GOES);
    }
    connect(self, next, after, EDGE_GOES);
    continue_in(self, after);
}

/* Statements after which nothing runs: sys.exit(), os._exit(1), exit(), assert False. */
static bool never_returns(const GraphMaking *self, const Stmt *stmt) {
    static const PythonName MODULES[] = {PY_sys, PY_os};
    static const PythonName ENDS[] = {PY_exit, PY__exit, PY_quit, PY_abort};
    const Expr *exprs = self->model->exprs.items, *expr = &exprs[stmt->a], *callee = &exprs[expr->a];
    if (stmt->kind == STMT_ASSERT) return expr->kind == EXPR_FALSE;
    if (stmt->kind != STMT_EXPR || expr->kind != EXPR_CALL) return false;
    bool method = callee->kind == EXPR_ATTRIBUTE && exprs[callee->a].kind == EXPR_NAME &&
                  python_any(MODULES, 2, model_name(self->model, exprs[callee->a].name));
    bool builtin = callee->kind == EXPR_NAME && callee->binding == BIND_GLOBAL && !callee->slot;
    return (method || builtin) && python_any(ENDS, 4, model_name(self->model, callee->name));
}

static void simple_stmt(GraphMaking *self, const Stmt *stmt) {
    step(self, stmt, STEP_RUN);
    if (stmt->kind == STMT_RETURN) leave(self, JUMP_RETURN);
    if (stmt->kind == STMT_RAISE) leave(self, JUMP_RAISE);
    if (stmt->kind == STMT_BREAK) leave(self, JUMP_BREAK);
    if (stmt->kind == STMT_CONTINUE) leave(self, JUMP_CONTINUE);
    if (never_returns(self, stmt)) leave(self, stmt->kind == STMT_ASSERT ? JUMP_RAISE : JUMP_RETURN);
}

static void stmts(GraphMaking *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) {
        const Stmt *stmt = stmt_at(self, list.first + i);
        switch ((StmtKind)stmt->kind) {
        case STMT_IF: if_stmt(self, stmt); break;
        case STMT_WHILE:
        case STMT_FOR: loop_stmt(self, stmt); break;
        case STMT_TRY: try_stmt(self, stmt); break;
        case STMT_WITH: with_stmt(self, stmt); break;
        case STMT_MATCH: match_stmt(self, stmt); break;
        default: simple_stmt(self, stmt);
        }
    }
}

void graph_blocks(GraphMaking *self) {
    vec_push(self->scratch, &self->blocks, ((Block){0}));
    vec_push(self->scratch, &self->steps, ((FlowStep){0}));
    vec_push(self->scratch, &self->accesses, ((Access){0}));
    self->current = begin(self);
    (void)begin(self); /* the exit */
    stmts(self, self->func->body);
    connect(self, self->current, MAKING_EXIT, EDGE_GOES);
    vec_push(self->scratch, &self->steps, ((FlowStep){.first_access = self->accesses.count}));
}
