/* How a function uses each of its variables, and what that suggests about their types. */
#include "hints.h"
#include "conventions.h"
#include "memo.h"
#include "python_names.h"

enum { USE_OWN = USE_TENSOR | USE_COMPUTED };

/* What calling a method on a variable suggests about it. */
static const struct {
    Named named;
    uint32_t use;
} SIGNS[] = {
    {NAMED_backward_method, USE_BACKWARD},   {NAMED_computing_method, USE_OWN},
    {NAMED_tensor_method, USE_TENSOR},       {NAMED_module_method, USE_MODULE},
    {NAMED_optimizer_method, USE_OPTIMIZER}, {NAMED_moving_method, USE_MOVED},
    {NAMED_reading_method, USE_READ_BACK},   {NAMED_text_method, USE_TEXT},
};

/* Calls with sizes, paddings or probabilities as arguments; with SIZED_LATER the first argument is a tensor. */
enum { SIZED_NO, SIZED_FIRST, SIZED_LATER };

struct NameSign {
    uint32_t use;
    uint8_t sized; /* SIZED_... */
};

typedef struct Notes {
    const FileModel *model;
    const Sym *syms;
    const struct NameSign *signs; /* [Sym] */
    const Rulebook *book;
    uint32_t *uses;
    bool *picked; /* [slot]: indexed by a literal number, as sizes are, but also tensors */
    bool *set;    /* [slot]: assigned */
    bool *does;   /* [slot]: what would be an output's attribute is called: `attn.to_gate_logits(x)` */
} Notes;

/* A table by Sym, because every call and attribute would have to be compared with eighty names. */
const struct NameSign *find_signs(Arena *arena, const Rulebook *book, const Names *names) {
    struct NameSign *signs = arena_new(arena, struct NameSign, names->texts.count + 1);
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        for (uint32_t r = 0; r < name_rows(book, SIGNS[i].named); r++)
            signs[names_find(names, name_row(book, SIGNS[i].named, r))].use |= SIGNS[i].use;
    for (uint8_t sized = SIZED_FIRST; sized <= SIZED_LATER; sized++) {
        Named named = sized == SIZED_FIRST ? NAMED_shape_call : NAMED_shaping_call;
        for (uint32_t r = 0; r < name_rows(book, named); r++)
            signs[names_find(names, name_row(book, named, r))].sized = sized;
    }
    signs[0] = (struct NameSign){0}; /* all names that the program lacks are 0 */
    return signs;
}

static const Expr *expr_at(const Notes *notes, ExprId id) { return &notes->model->exprs.items[id]; }

static ExprId part_of(const Notes *notes, const Expr *expr, uint32_t i) {
    return notes->model->links.items[expr->list.first + i];
}

static struct NameSign sign_of(const Notes *notes, const Expr *expr) {
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    return notes->signs[named && expr->name ? notes->syms[expr->name] : 0];
}

static uint32_t local_slot(const Expr *expr) {
    return expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL ? expr->slot : 0;
}

/* `self.loss.backward()` tells about the attribute what `loss.backward()` tells about a variable, as does
   `self.net.eval()`. */
static uint32_t slot_for(const Expr *expr, uint32_t use) {
    bool path = (use == USE_BACKWARD || use == USE_MODULE) && expr->kind == EXPR_ATTRIBUTE;
    return path ? expr->slot : local_slot(expr);
}

static void note(const Notes *notes, ExprId id, uint32_t use) {
    notes->uses[slot_for(expr_at(notes, id), use)] |= use;
}

/* The variables in a computation of numbers: `h * w`, `k // 2`, `(left, right)`; for a size also what it is picked from: `size[0]`. */
static void note_numbers(const Notes *notes, ExprId id, uint32_t use, int depth) {
    const Expr *expr = expr_at(notes, id);
    if (!id || depth > 6) return;
    note(notes, id, use);
    if (expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY) {
        note_numbers(notes, expr->a, use, depth + 1);
        note_numbers(notes, expr->b, use, depth + 1);
    }
    bool picked = expr->kind == EXPR_SUBSCRIPT && expr_at(notes, expr->b)->kind == EXPR_INT;
    if (picked && use == USE_SIZE) note(notes, expr->a, use);
    bool parts = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST;
    for (uint32_t i = 0; parts && i < expr->list.count; i++)
        note_numbers(notes, part_of(notes, expr, i), use, depth + 1);
}

static Text name_of(const Notes *notes, const Expr *expr) {
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    return named ? model_name(notes->model, expr->name) : (Text){0};
}

static bool is_text(const Notes *notes, ExprId id) {
    const Expr *expr = expr_at(notes, id);
    bool parts = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST || expr->kind == EXPR_SET;
    if (parts && expr->list.count) return is_text(notes, part_of(notes, expr, 0));
    return expr->kind == EXPR_STRING;
}

static void note_texts(const Notes *notes, const Expr *compare) {
    for (uint32_t i = 0; i + 1 < compare->list.count; i++) {
        ExprId left = part_of(notes, compare, i), right = part_of(notes, compare, i + 1);
        const Expr *cut = expr_at(notes, left); /* tag[2:] == "B" */
        if (!is_text(notes, right)) continue;
        note(notes, left, USE_TEXT);
        if (cut->kind == EXPR_SUBSCRIPT && expr_at(notes, cut->b)->kind == EXPR_SLICE)
            note(notes, cut->a, USE_TEXT);
    }
}

/* Conditions: a bare name is a flag, a compared one a number. The operand of a `not` is noted where the `not`
   is. */
static void note_condition(const Notes *notes, ExprId id) {
    const Expr *expr = expr_at(notes, id);
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: note(notes, id, USE_TRUTH); break;
    case EXPR_BINARY: note_numbers(notes, id, USE_TRUTH, 0); break;
    case EXPR_AND:
    case EXPR_OR:
        for (uint32_t i = 0; i < expr->list.count; i++) note_condition(notes, part_of(notes, expr, i));
        break;
    case EXPR_COMPARE:
        if (expr->op == OP_IS || expr->op == OP_IS_NOT || expr->op == OP_IN || expr->op == OP_NOT_IN) break;
        for (uint32_t i = 0; i < expr->list.count; i++)
            note_numbers(notes, part_of(notes, expr, i), USE_TRUTH, 0);
        break;
    default: break;
    }
}

static void note_argument(const Notes *notes, const Expr *call, uint32_t i, uint8_t sized, bool tensors) {
    ExprId id = part_of(notes, call, i);
    const Expr *arg = expr_at(notes, id);
    bool keyword = arg->kind == EXPR_KEYWORD;
    if (sized && (keyword || i > 0 || sized == SIZED_FIRST)) {
        if (sized == SIZED_FIRST && !keyword) note(notes, id, USE_NUMBER);
        note_numbers(notes, keyword ? arg->a : id, USE_SIZE, 0);
    } else if (tensors && i == 0 && !keyword) {
        note(notes, id, USE_ASKED);
    }
}

/* The first argument is computed with: `F.relu(x)`, `torch.exp(x)`, `self.layer(x)`. */
static bool computes(const Notes *notes, const Expr *callee) {
    if (callee->kind != EXPR_ATTRIBUTE) return false;
    const Expr *base = expr_at(notes, callee->a);
    while (base->kind == EXPR_ATTRIBUTE || base->kind == EXPR_SUBSCRIPT) base = expr_at(notes, base->a);
    return name_is(notes->book, NAMED_computing_root, name_of(notes, base));
}

/* `(policy_loss + value_loss).backward()`: each term is a loss. */
static void note_losses(const Notes *notes, ExprId id, int depth) {
    const Expr *expr = expr_at(notes, id);
    note(notes, id, USE_BACKWARD);
    if (expr->kind != EXPR_BINARY || expr->op != OP_ADD || depth > 6) return;
    note_losses(notes, expr->a, depth + 1);
    note_losses(notes, expr->b, depth + 1);
}

/* `x.argmax(dim=1)`: NumPy's keyword is axis. */
static uint32_t names_dim(const Notes *notes, const Expr *call) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *arg = expr_at(notes, part_of(notes, call, i));
        if (arg->kind == EXPR_KEYWORD &&
            name_is(notes->book, NAMED_dim_keyword, model_name(notes->model, arg->name)))
            return USE_TENSOR;
    }
    return 0;
}

/* The variable in `probs[:, j].detach()`, through operations that do not change the device. 0 = it may have
   changed. */
static ExprId stays_from(const Notes *notes, ExprId id) {
    const Expr *expr = expr_at(notes, id);
    for (int depth = 0; depth < 6 && expr->kind != EXPR_NAME; depth++) {
        bool call = expr->kind == EXPR_CALL;
        const Expr *callee = call ? expr_at(notes, expr->a) : expr;
        bool known = call ? callee->kind == EXPR_ATTRIBUTE : expr->kind == EXPR_SUBSCRIPT;
        if (!known || name_is(notes->book, NAMED_leaving_method, name_of(notes, callee))) return 0;
        id = callee->a, expr = expr_at(notes, id);
    }
    return id;
}

/* `probs[:, j].detach().numpy()` raises for a GPU tensor. */
static void note_array(const Notes *notes, ExprId id) {
    ExprId from = stays_from(notes, id);
    if (from) note(notes, from, USE_NUMPY);
}

static void note_call(const Notes *notes, const Expr *call) {
    const Expr *callee = expr_at(notes, call->a);
    Text name = name_of(notes, callee);
    struct NameSign sign = sign_of(notes, callee);
    if (callee->kind == EXPR_ATTRIBUTE) note(notes, callee->a, sign.use | names_dim(notes, call));
    if (callee->kind == EXPR_ATTRIBUTE && name_is(notes->book, NAMED_output_attribute, name))
        notes->does[local_slot(expr_at(notes, callee->a))] = true;
    note(notes, call->a, USE_CALLED | USE_ASKED);
    const Expr *base = callee->kind == EXPR_ATTRIBUTE ? expr_at(notes, callee->a) : callee;
    bool scaled = base->kind == EXPR_CALL && base->list.count &&
                  name_is(notes->book, NAMED_backward_method, name) &&
                  name_is(notes->book, NAMED_scaling_method, name_of(notes, expr_at(notes, base->a)));
    if (scaled) note_losses(notes, part_of(notes, base, 0), 0); /* scaler.scale(loss).backward() */
    if (callee->kind == EXPR_ATTRIBUTE && (sign.use & USE_BACKWARD)) note_losses(notes, callee->a, 0);
    if (callee->kind == EXPR_ATTRIBUTE && !call->list.count && name_is(notes->book, NAMED_array_method, name))
        note_array(notes, callee->a);
    bool packs = name_is(notes->book, NAMED_packing_call, name);
    bool tensors = computes(notes, callee) || python_is(PY_len, name);
    for (uint32_t i = 0; i < call->list.count; i++) {
        const Expr *arg = expr_at(notes, part_of(notes, call, i));
        bool keyword = arg->kind == EXPR_KEYWORD;
        bool lengths = keyword
                           ? name_is(notes->book, NAMED_lengths_parameter, model_name(notes->model, arg->name))
                           : i == 1;
        if (packs && lengths) note(notes, keyword ? arg->a : part_of(notes, call, i), USE_LENGTHS);
        note_argument(notes, call, i, sign.sized, tensors);
    }
}

/* f"{name}.weight", f"{name}_loss": the literal continues a name. */
static bool goes_on(Text literal) {
    bool joins = literal.length > 1 && (literal.bytes[0] == '.' || literal.bytes[0] == '_');
    return joins && text_is_word(literal.bytes[1]) && literal.bytes[1] > '9';
}

static void note_fstring(const Notes *notes, const Expr *expr) {
    for (uint32_t i = 0; i + 1 < expr->list.count; i++) {
        const Expr *part = expr_at(notes, part_of(notes, expr, i));
        const Expr *next = expr_at(notes, part_of(notes, expr, i + 1));
        if (part->kind != EXPR_INTERPOLATION || part->op || part->b || part->name) continue;
        if (next->kind == EXPR_STRING && goes_on(model_name(notes->model, next->name)))
            note(notes, part->a, USE_TEXT);
    }
}

static void note_expr(const Notes *notes, ExprId id) {
    const Expr *expr = expr_at(notes, id);
    switch ((ExprKind)expr->kind) {
    case EXPR_CALL: note_call(notes, expr); break;
    case EXPR_ATTRIBUTE:
        if (!(sign_of(notes, expr).use & USE_TEXT)) note(notes, expr->a, USE_ASKED);
        if (name_is(notes->book, NAMED_output_attribute, model_name(notes->model, expr->name)))
            note(notes, expr->a, USE_OUTPUT);
        break;
    case EXPR_SUBSCRIPT:
        if (expr_at(notes, expr->b)->kind == EXPR_INT)
            notes->picked[local_slot(expr_at(notes, expr->a))] = true;
        else
            note(notes, expr->a, USE_ASKED);
        break;
    case EXPR_SLICE:
        note_numbers(notes, expr->a, USE_SIZE, 0);
        note_numbers(notes, expr->b, USE_SIZE, 0);
        break;
    case EXPR_BINARY:
        if (expr->op == OP_MATMUL) note(notes, expr->a, USE_ASKED), note(notes, expr->b, USE_ASKED);
        break;
    case EXPR_COMPARE: note_texts(notes, expr); break;
    case EXPR_FSTRING: note_fstring(notes, expr); break;
    case EXPR_IF:
    case EXPR_NOT: note_condition(notes, expr->a); break;
    default: break;
    }
}

static void note_set(const Notes *notes, ExprId id) {
    const Expr *expr = expr_at(notes, id);
    for (uint32_t i = 0; expr->kind == EXPR_TUPLE && i < expr->list.count; i++)
        note_set(notes, part_of(notes, expr, i));
    notes->set[local_slot(expr)] = true;
}

/* `x = x.float()` or `x = torch.tensor(x)` does not change whether x is on the CPU. */
static bool leaves_there(const Notes *notes, const Stmt *stmt) {
    const Expr *target =
        expr_at(notes, stmt->list.count == 1 ? notes->model->links.items[stmt->list.first] : 0);
    const Expr *made = expr_at(notes, stmt->b);
    bool wraps = made->kind == EXPR_CALL && made->list.count == 1 &&
                 name_is(notes->book, NAMED_wrapping_call, name_of(notes, expr_at(notes, made->a)));
    ExprId from = stays_from(notes, wraps ? part_of(notes, made, 0) : stmt->b);
    return local_slot(target) && local_slot(expr_at(notes, from)) == local_slot(target);
}

static void note_stmt(const Notes *notes, const Stmt *stmt) {
    bool sets = stmt->kind == STMT_ASSIGN && !leaves_there(notes, stmt);
    for (uint32_t t = 0; sets && t < stmt->list.count; t++)
        note_set(notes, notes->model->links.items[stmt->list.first + t]);
    if (stmt->kind == STMT_FOR || stmt->kind == STMT_AUGMENT) note_set(notes, stmt->a);
    if (stmt->kind == STMT_IF || stmt->kind == STMT_WHILE || stmt->kind == STMT_ASSERT)
        note_condition(notes, stmt->a);
    if (stmt->kind != STMT_FOR) return;
    ExprId iterable = stmt->b;
    note(notes, iterable, USE_ASKED);
    while (expr_at(notes, iterable)->kind == EXPR_CALL && expr_at(notes, iterable)->list.count) {
        iterable = part_of(notes, expr_at(notes, iterable), 0);
        if (!(notes->uses[local_slot(expr_at(notes, iterable))] & USE_NUMBER)) note(notes, iterable, USE_ASKED);
    }
    note(notes, iterable, USE_ITERATED);
}

bool uses_say_host(uint32_t use) { return (use & (USE_TRUTH | USE_SIZE)) && !(use & USE_ASKED); }

/* [slot]: uses in the function's own text. */
uint32_t *uses_in_text(Arena *arena, Arena *scratch, const Inference *inference, FileId file, FuncId func_id) {
    const SourceFile *source = &inference->program->files.items[file];
    const FileModel *model = source->model;
    const Func *func = &model->funcs.items[func_id];
    Notes notes = {.model = model,
                   .syms = source->syms,
                   .signs = inference->signs,
                   .book = inference->book,
                   .uses = arena_new(arena, uint32_t, func->local_count + 1),
                   .picked = arena_new(scratch, bool, func->local_count + 1),
                   .set = arena_new(scratch, bool, func->local_count + 1),
                   .does = arena_new(scratch, bool, func->local_count + 1)};
    for (ExprId e = func->first_expr; e < func->end_expr; e++) note_expr(&notes, e);
    for (StmtId s = func->first_stmt; s < func->end_stmt; s++) note_stmt(&notes, &model->stmts.items[s]);
    for (uint32_t slot = 0; slot <= func->local_count; slot++) {
        if (notes.picked[slot] && !(notes.uses[slot] & USE_SIZE)) notes.uses[slot] |= USE_ASKED;
        bool elsewhere =
            notes.set[slot] || (notes.uses[slot] & USE_READ_BACK); /* as in `if x.is_cuda: x = x.cpu()` */
        if (elsewhere) notes.uses[slot] &= ~(uint32_t)USE_NUMPY;
        if (notes.does[slot]) notes.uses[slot] &= ~(uint32_t)USE_OUTPUT;
    }
    return notes.uses;
}

const uint32_t *evidence_of(Inference *inference, FileId file, FuncId func_id) {
    GlobalFunc global = global_func(inference, file, func_id);
    const uint32_t **known = &inference->uses[global];
    if (!*known) *known = ahead_uses(inference, global);
    if (!*known) *known = uses_in_text(inference->arena, inference->working, inference, file, func_id);
    return *known;
}

/* Adds what a callee does with an argument: `self.backward(loss)`, which calls loss.backward(). All contexts of
   this function are then evaluated again. */
void evidence_add(Eval *eval, ExprId id, uint32_t use) {
    Inference *inference = eval->inference;
    const Expr *expr = &eval->model->exprs.items[id];
    uint32_t slot = id >= eval->func->first_expr && id < eval->func->end_expr ? slot_for(expr, use) : 0;
    GlobalFunc global = global_func(inference, eval->file_id, eval->func_id);
    uint32_t *uses = (uint32_t *)inference->uses[global];
    if (!slot || !uses || (uses[slot] & use) == use) return;
    uses[slot] |= use;
    for (ContextId context = inference->func_contexts[global]; context;
         context = inference->context_links.items[context].next) {
        Memo *memo = inference->contexts.items[context]->memo;
        if (memo) memo->stale = true;
        store_queue(inference, context);
    }
}

void evidence_of_call(Eval *eval, FileId file, FuncId func_id, bool bound, const Args *args) {
    const SourceFile *source = &eval->inference->program->files.items[file];
    const Func *func = &source->model->funcs.items[func_id];
    const uint32_t *uses = evidence_of(eval->inference, file, func_id);
    for (uint32_t i = bound; i < func->param_count; i++) {
        const Param *param = &source->model->params.items[func->first_param + i];
        if (param->star || !(uses[param->slot] & USE_BACKWARD)) continue;
        if (i - bound < args->count) evidence_add(eval, args->exprs[i - bound], USE_BACKWARD);
        for (uint32_t k = 0; k < args->named_count; k++)
            if (args->names[k] == source->syms[param->name])
                evidence_add(eval, args->named_exprs[k], USE_BACKWARD);
    }
}
