/* Evidence from how an operation uses a value. Example: only tensors have `x.item()`, while `if x > 0:` works
   for numbers too. A wait that depends on one unknown operand (hardly_waits) is no finding; it is counted as
   unknown. */
#include "belief.h"
#include "conventions.h"
#include "hints.h"
#include "python_names.h"

typedef struct Printed {
    bool tensor, mixed; /* tensor: some part can only be a tensor; mixed: some part is a tensor or unknown */
} Printed;

typedef struct TensorsSeen {
    uint16_t flags;     /* of tensors that are merely believed */
    bool tensor, solid; /* tensor: some part is a GPU tensor; solid: more than that is known of one */
} TensorsSeen;

static bool is_guess(const EffectRecord *made) { return effect_confidence(made) == CONFIDENCE_POSSIBLE; }

static bool asks_for(const Eval *eval, TermId condition, Word word) {
    const Term *term = &eval->inference->book->terms[condition];
    if (!condition) return false;
    bool inside = term->kind == TERM_AND || (term->kind == TERM_WORD && term->word == COND_has);
    for (uint32_t i = 0; inside && i < term->count; i++)
        if (asks_for(eval, term_argument(eval, term, i), word)) return true;
    return term->kind == TERM_WORD && term->word == word;
}

/* `x.device` of a tensor, or of something used as one. */
bool device_of_tensor(const Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    if (!id || expr->kind != EXPR_ATTRIBUTE || sym_of(eval, expr->name) != eval->inference->known->device_name)
        return false;
    const Expr *owner = &eval->model->exprs.items[expr->a];
    bool used = owner->kind == EXPR_NAME && owner->binding == BIND_LOCAL && owner->slot &&
                (eval->use[owner->slot] & USE_TENSOR);
    return used || value_has(infer_fact(eval->context, eval->model, expr->a), KIND_TENSOR);
}

/* It contains tensors, none of them known to be on the CPU. */
static bool perhaps_on_cpu(Eval *eval, const Value *value, int depth, bool *known) {
    bool tensors = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        *known |= alt->kind == KIND_TENSOR && alt->device == DEVICE_CPU;
        tensors |= alt->kind == KIND_TENSOR;
        if (alt->kind == KIND_CONTAINER && depth < 2)
            tensors |= perhaps_on_cpu(eval, object_any(eval, alt->object), depth + 1, known);
    }
    return tensors && !*known;
}

/* The clause is about a CPU tensor meeting a GPU tensor, and nothing says that either is on the CPU. Tensors
   that meet are mostly on one device, so it hardly waits: `a[i] = b` of two parameters. */
static bool sides_unknown(Eval *eval, const Bound *bound) {
    bool perhaps = false, there = false, known = false;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        TermId condition = eval->inference->book->params[bound->clause->first_param + i].condition;
        if (asks_for(eval, condition, COND_cpu))
            perhaps |= perhaps_on_cpu(eval, bound->values[i], 0, &known);
        else
            there |= asks_for(eval, condition, COND_cuda) ||
                     (asks_for(eval, condition, COND_names_cuda) && device_of_tensor(eval, bound->exprs[i]));
    }
    return perhaps && there && !known;
}

/* Tensors, or the device that a tensor is asked for. */
static bool stands_for_tensor(Eval *eval, const Bound *bound, uint32_t i) {
    for (uint32_t a = 0; bound->values[i] && a < bound->values[i]->count; a++)
        if (may_meet(eval, &bound->values[i]->alts[a])) return true;
    return device_of_tensor(eval, bound->exprs[i]);
}

/* The target is known to be on the CPU, so the other operand decides: `hits = torch.zeros(n)`, `hits[i] =
   found.sum()`. */
static bool kept_on_cpu(const Bound *bound) {
    const Value *kept = bound->clause->param_count > 2 ? bound->values[0] : NULL;
    return kept && kept->count == 1 && kept->alts[0].kind == KIND_TENSOR && kept->alts[0].device == DEVICE_CPU;
}

static bool asks_pinned(const Eval *eval, TermId condition) {
    const Term *term = &eval->inference->book->terms[condition];
    if (condition && term->kind == TERM_WORD) return term->word == COND_pinned;
    for (uint32_t i = 0; condition && i < term->count; i++)
        if (asks_pinned(eval, term_argument(eval, term, i))) return true;
    return false;
}

/* A non-blocking copy of a tensor that may or may not be pinned. Whoever asks for it has mostly pinned it, so
   it hardly waits: `x.to(device, non_blocking=True)`. */
static bool depends_on_pinning(Eval *eval, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        if (!asks_pinned(eval, book->params[bound->clause->first_param + i].condition)) continue;
        for (uint32_t a = 0; bound->values[i] && a < bound->values[i]->count; a++) {
            const Alt *alt = &bound->values[i]->alts[a];
            bool here = alt->kind == KIND_TENSOR && alt->device != DEVICE_CUDA;
            if (here && alt->pinned == TRI_UNKNOWN) return true;
        }
    }
    return false;
}

/* The same function has loss.backward(). */
static bool goes_backward(const Eval *eval) {
    for (uint32_t slot = 1; slot <= eval->func->local_count; slot++)
        if (eval->use[slot] & USE_BACKWARD) return true;
    return false;
}

/* `labels`, `batch["labels"]`: not an attribute of self, and nothing that is called or trained. */
static bool is_data(const Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    while (id && expr->kind == EXPR_SUBSCRIPT) expr = &eval->model->exprs.items[expr->a];
    if (!id || expr->kind != EXPR_NAME || expr->binding != BIND_LOCAL || !expr->slot) return false;
    return !(eval->use[expr->slot] & (USE_MODULE | USE_OPTIMIZER | USE_CALLED));
}

/* In a function that itself calls backward(): what a tensor-only method reads back was computed on the GPU, and
   what is sent to it comes from a loader. */
bool trained_with(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound) {
    const Evidence fair = evidence(SEEN_PROPERTY) | evidence(SEEN_OTHERS) | evidence(SEEN_VALUE);
    if (!is_guess(made) || role != EFFECT_OWN || (evidence_of_match(made->evidence) & ~fair)) return false;
    const Clause *clause = bound->clause;
    if (!clause->param_count || !goes_backward(eval)) return false;
    const Rulebook *book = eval->inference->book;
    const RuleParam *first = &book->params[clause->first_param];
    if (!python_is(PY_self, rulebook_text(book, first->name))) return false;
    Text name = rulebook_text(book, book->entries[bound->entry].name);
    if (text_starts(name, TEXT("__"))) return false;
    if (made->to_device) return asks_for(eval, first->condition, COND_cpu) && is_data(eval, bound->exprs[0]);
    for (uint32_t i = 1; i < clause->param_count; i++)
        if (book->params[clause->first_param + i].condition) return false;
    return asks_for(eval, first->condition, COND_cuda);
}

/* A tensor of unknown element type, alone or inside a container: an index that may be a mask. */
static bool holds_any_type(Eval *eval, const Value *value, int depth) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool holds = alt->kind == KIND_CONTAINER || alt->kind == KIND_SLICE;
        if (alt->kind == KIND_TENSOR && alt->dtype == DTYPE_UNKNOWN) return true;
        if (holds && depth < 2 && holds_any_type(eval, object_any(eval, alt->object), depth + 1)) return true;
    }
    return false;
}

/* The wait depends on an unknown property of an operand: its device (`a.copy_(b)`), whether an index is a mask,
   positions or a single element (`x[i]`), whether a gradient is needed. */
static bool depends_on_unknown(Eval *eval, const Bound *bound, Evidence doubts) {
    if (!(doubts & (evidence(SEEN_PROPERTY) | evidence(SEEN_SIDES)))) return false;
    uint32_t tensors = 0;
    if ((doubts & evidence(SEEN_PROPERTY)) && depends_on_pinning(eval, bound)) return true;
    if (!(doubts & evidence(SEEN_SIDES)) && kept_on_cpu(bound)) return false;
    bool here = false, there = false, inside = false;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        TermId condition = eval->inference->book->params[bound->clause->first_param + i].condition;
        if (asks_for(eval, condition, COND_gradient)) /* unknown is whether it needs a gradient */
            return (doubts & evidence(SEEN_PROPERTY)) && !goes_backward(eval);
        tensors += stands_for_tensor(eval, bound, i);
        here |= asks_for(eval, condition, COND_cpu);
        there |= asks_for(eval, condition, COND_cuda) || asks_for(eval, condition, COND_names_cuda);
        bool mask = asks_for(eval, condition, COND_dtype_bool) && !holds_any_type(eval, bound->values[i], 0);
        inside |= asks_for(eval, condition, COND_has) && !mask;
    }
    return tensors > 1 && ((here && there) || inside);
}

/* Methods that give a Python number: `x.size(0)`, `x.dim()`. */
static bool gives_number(const Rulebook *book, EntryId method) {
    const Entry *entry = &book->entries[method];
    for (uint32_t c = 0; c < entry->clause_count; c++) {
        TermId returns = book->clauses[entry->first_clause + c].returns;
        const Term *term = &book->terms[returns];
        if (returns && term->kind == TERM_WORD && (term->word == RET_number || term->word == COND_number))
            return true;
    }
    return false;
}

static bool is_within(Span inner, Span outer) { return inner.start >= outer.start && inner.end <= outer.end; }

/* `x.any()`, `torch.isfinite(x)`: nobody writes that for a number. */
static bool asks_tensor(Eval *eval, const Expr *call) {
    const Expr *callee = &eval->model->exprs.items[call->a];
    if (callee->kind != EXPR_ATTRIBUTE) return false;
    const Rulebook *book = eval->inference->book;
    Text name = model_name(eval->model, callee->name);
    EntryId method = member_of(eval->inference, eval->inference->known->tensor, name);
    if (method) return !gives_number(book, method);
    const Value *called = infer_fact(eval->context, eval->model, call->a);
    for (uint32_t i = 0; called && i < called->count; i++)
        if (called->alts[i].kind == KIND_ENTRY &&
            name_is(book, NAMED_torch_api, rulebook_text(book, book->entries[called->alts[i].id].qualified)))
            return true;
    return false;
}

enum { PARTS_MOST = 128 }; /* parts of an expression that are examined: the last ones */

static ExprId first_part(const Eval *eval, ExprId whole) {
    return model_first_part(eval->model, eval->func, whole, PARTS_MOST);
}

/* In an expression or one of its parts. */
static bool asks_tensor_inside(Eval *eval, ExprId whole, ExprId but) {
    if (whole < eval->func->first_expr || whole >= eval->func->end_expr) return false;
    for (ExprId e = first_part(eval, whole); e <= whole; e++) {
        const Expr *expr = &eval->model->exprs.items[e];
        if (expr->kind == EXPR_CALL && e != but && asks_tensor(eval, expr)) return true;
    }
    return false;
}

/* The wait is for a method's receiver: `x.item()`. */
static bool receiver_waits(Eval *eval, const Clause *clause) {
    const Rulebook *book = eval->inference->book;
    if (!clause->param_count) return false;
    const RuleParam *first = &book->params[clause->first_param];
    return python_is(PY_self, rulebook_text(book, first->name)) && asks_for(eval, first->condition, COND_cuda);
}

/* A hazard that reads a number out of a tensor does not apply to numbers. */
static bool takes_numbers(const Eval *eval, HazardId hazard) {
    return rulebook_does(eval->inference->book, hazard, DOES_BIT(reads) | DOES_BIT(decides) | DOES_BIT(prints));
}

static bool is_truth(const Eval *eval, HazardId hazard) {
    return rulebook_does(eval->inference->book, hazard, DOES_BIT(decides));
}

/* `range(count)`, `if step > limit:`, f"{name}": works for numbers and strings, and a value that may be one
   mostly is. */
static bool does_plain_work(Eval *eval, const EffectRecord *made, EffectRole role) {
    const Clause *clause = &eval->inference->book->clauses[made->clause];
    if (!takes_numbers(eval, made->hazard) || made->converts ||
        (role == EFFECT_OWN && receiver_waits(eval, clause)))
        return false;
    return !asks_tensor_inside(eval, made->expr, role == EFFECT_OWN ? made->expr : 0);
}

enum { ASSIGNED_MOST = 64 }; /* assignments of one variable that are examined */

/* `norm = x.norm()`: some assignment in the function computes the variable as only tensors are computed. */
static bool computed_as_tensor(Eval *eval, uint32_t slot) {
    const FlowGraph *graph = eval->graph;
    Accesses defs = graph_defs(graph, slot);
    for (const AccessId *d = defs.first; d < defs.end && d < defs.first + ASSIGNED_MOST; d++) {
        const Access *def = &graph->accesses[*d];
        bool assigned = def->kind == DEF_ASSIGN || def->kind == DEF_PART;
        if (assigned && asks_tensor_inside(eval, graph_value(graph, *d), 0)) return true;
    }
    return false;
}

/* `size(x, "b [c]") == 1` with an unknown function: its argument does not tell its result. */
static bool is_given_away(Eval *eval, Span name, ExprId whole) {
    for (ExprId e = first_part(eval, whole); e <= whole; e++) {
        const Expr *call = &eval->model->exprs.items[e];
        if (call->kind != EXPR_CALL || !is_within(name, call->span)) continue;
        bool unseen = value_only(infer_fact(eval->context, eval->model, call->a), KIND_UNKNOWN);
        if (unseen && !is_within(name, eval->model->exprs.items[call->a].span)) return true;
    }
    return false;
}

static bool uses_computed(Eval *eval, ExprId whole) {
    for (ExprId e = first_part(eval, whole); e <= whole; e++) {
        const Expr *expr = &eval->model->exprs.items[e];
        Binding own = eval->func->kind == FUNC_MODULE ? BIND_GLOBAL : BIND_LOCAL;
        bool local = expr->kind == EXPR_NAME && expr->binding == own && expr->slot;
        if (local && computed_as_tensor(eval, expr->slot) && !is_given_away(eval, expr->span, whole))
            return true;
    }
    return false;
}

/* torch.equal(x, y), max(losses): comparisons of tensors or of containers of them, not of sizes and bounds. */
static bool compares_tensors(const Eval *eval, const EffectRecord *made, const Bound *bound) {
    return is_truth(eval, made->hazard) &&
           !text_starts(rulebook_text(eval->inference->book, eval->inference->book->entries[bound->entry].name),
                        TEXT("__"));
}

bool reads_plainly(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    if (!takes_numbers(eval, made->hazard) || made->converts || compares_tensors(eval, made, bound))
        return false;
    bool named = !text_starts(rulebook_text(book, book->entries[bound->entry].name), TEXT("__"));
    if (role == EFFECT_OWN && named && receiver_waits(eval, bound->clause)) return false;
    return !asks_tensor_inside(eval, made->expr, role == EFFECT_OWN ? made->expr : 0) &&
           !uses_computed(eval, made->expr);
}

/* A 0-dimensional tensor, whatever else it may be: a result of a reduction, or of a loop over a vector. */
static bool is_reduced(const Value *value, bool flags) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_TENSOR || alt->dims != DIMS_SCALAR || (!flags && alt->dtype == DTYPE_BOOL))
            return false;
    }
    return value && value->count;
}

static bool reads_reduced(Eval *eval, const Bound *bound) {
    bool reads = false;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        TermId condition = eval->inference->book->params[bound->clause->first_param + i].condition;
        if (!asks_for(eval, condition, COND_cuda)) continue;
        if (!is_reduced(bound->values[i], false)) return false;
        reads = true;
    }
    return reads;
}

/* `if norm == 0:`, `range(counts.max())` on the result of a reduction, or `if distance > limit:` on what is
   made or moved next to a tensor: it is a tensor, though only a convention says that it is on the GPU. A lone
   flag may as well be an option. */
bool reads_computed(Eval *eval, const EffectRecord *made, const Bound *bound) {
    if (!is_truth(eval, made->hazard)) return reads_reduced(eval, bound);
    if (eval->model->exprs.items[made->expr].kind != EXPR_COMPARE) return false;
    uint8_t origin = eval->inference->values.origins.items[made->origin].kind;
    bool placed = origin == ORIGIN_MADE || origin == ORIGIN_MOVED;
    return placed || (bound->clause->param_count && is_reduced(bound->values[0], true));
}

static bool is_print(const Eval *eval, HazardId hazard) {
    return rulebook_does(eval->inference->book, hazard, DOES_BIT(prints));
}

static void see_printed(Eval *eval, const Value *value, int depth, Printed *printed) {
    bool unknown = value_has(value, KIND_UNKNOWN), tensor = value_has(value, KIND_TENSOR);
    printed->mixed |= tensor && unknown;
    printed->tensor |= tensor && !unknown;
    for (uint32_t i = 0; value && depth < 2 && i < value->count; i++) {
        if (value->alts[i].kind != KIND_CONTAINER) continue;
        ObjectId id = value->alts[i].object;
        see_printed(eval, store_read(eval->inference, eval->id, infer_object(eval->inference, id)->rest),
                    depth + 1, printed);
        for (uint32_t k = 0; k < infer_object(eval->inference, id)->key_count; k++)
            see_printed(
                eval,
                store_read(eval->inference, eval->id, object_keys(infer_object(eval->inference, id))[k].slot),
                depth + 1, printed);
    }
}

bool prints_unknown(Eval *eval, HazardId hazard, const Bound *bound) {
    if (!is_print(eval, hazard) || eval->unseen) return eval->unseen && is_print(eval, hazard);
    Printed printed = {0};
    for (uint32_t i = 0; i < bound->clause->param_count; i++) see_printed(eval, bound->values[i], 0, &printed);
    return printed.mixed && !printed.tensor;
}

/* That it is on the GPU is a guess (the result of an unknown call with GPU tensors), and only tensors are used
   so. By the counts: sizes and checks, x[mask] or torch.linalg.cholesky(x), nearly always waited; reads and
   moves did where the belief starts from a tensor passed here or from a device's name; where it rests on a use
   alone, or something unknown may come instead, fewer did. */
static bool computes_with_guess(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    const uint32_t work = DOES_BIT(sizes) | DOES_BIT(indexes) | DOES_BIT(checks) | DOES_BIT(validates);
    const uint32_t moves =
        DOES_BIT(reads) | DOES_BIT(decides) | DOES_BIT(makes) | DOES_BIT(sends) | DOES_BIT(works);
    if (evidence_of_match(made->evidence) != evidence(SEEN_VALUE) || eval->unseen) return false;
    OriginKind kind = origin_begins(&eval->inference->values, made->origin);
    if (rulebook_does(book, made->hazard, work)) return made->origin && kind != ORIGIN_USE;
    if (kind != ORIGIN_PARAMETER && kind != ORIGIN_NAME && kind != ORIGIN_ARGUMENT) return false;
    Text api = rulebook_text(book, book->entries[bound->entry].qualified);
    bool reads = rulebook_does(book, made->hazard, DOES_BIT(reads)); /* by a method of the tensor itself */
    if (made->converts || !name_is(book, reads ? NAMED_tensor_api : NAMED_torch_api, api)) return false;
    return rulebook_does(book, made->hazard, moves) && !reads_plainly(eval, made, role, bound);
}

/* In `x.item()` only x matters. */
static bool asks_receiver_alone(Eval *eval, const Clause *clause) {
    if (!receiver_waits(eval, clause)) return false;
    for (uint32_t i = 1; i < clause->param_count; i++)
        if (eval->inference->book->params[clause->first_param + i].condition) return false;
    return true;
}

/* On some path it is something else, but it is used as only tensors are: `loss.item()`, `if (x > 0).any()`. Not
   `if x` or `x.view(n)`, which others support as well. */
bool asked_as_tensor(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    if (!is_guess(made)) return false;
    if (computes_with_guess(eval, made, role, bound)) return true;
    bool others = evidence_of_match(made->evidence) == evidence(SEEN_OTHERS);
    if (!others && evidence_of_match(made->evidence) != (evidence(SEEN_OTHERS) | evidence(SEEN_PROPERTY)))
        return false;
    if (role == EFFECT_USE && is_truth(eval, made->hazard) && asks_tensor_inside(eval, made->expr, 0))
        return true;
    if (!others) return false;
    if (rulebook_does(book, made->hazard, DOES_BIT(sizes) | DOES_BIT(validates))) return true;
    if (role != EFFECT_OWN || made->converts || !rulebook_does(book, made->hazard, DOES_BIT(reads)))
        return false;
    return asks_receiver_alone(eval, bound->clause);
}

/* It is merely possibly a tensor, and read as numbers and strings mostly are: `range(n)`, `f"{lr}"`,
   `x.view(rows, -1)`; not `loss.item()`. */
static bool reads_unasked(Eval *eval, const EffectRecord *made, EffectRole role) {
    const Clause *clause = &eval->inference->book->clauses[made->clause];
    if (!rulebook_does(eval->inference->book, made->hazard, DOES_BIT(reads) | DOES_BIT(prints)) ||
        made->converts || (role == EFFECT_OWN && receiver_waits(eval, clause)))
        return false;
    return !asks_tensor_inside(eval, made->expr, role == EFFECT_OWN ? made->expr : 0);
}

static void see_tensors(Eval *eval, const Value *value, int depth, TensorsSeen *seen) {
    for (uint32_t i = 0; value && depth < 3 && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_CONTAINER || alt->kind == KIND_SLICE)
            see_tensors(eval, object_any(eval, alt->object), depth + 1, seen);
        if (alt->kind != KIND_TENSOR || alt->device != DEVICE_CUDA) continue;
        seen->tensor = true;
        seen->solid |= alt->dims || alt->dtype || (alt->flags & (ALT_GRADIENT | ALT_PICKED)) ||
                       !(alt->flags & seen->flags);
    }
}

/* A name, attribute or item without a method call, which nobody would test if it were a tensor: `if flag:`,
   `not batch["flag"]`. */
static bool is_bare(const Eval *eval, ExprId id) {
    uint8_t kind = eval->model->exprs.items[id].kind;
    return kind == EXPR_NAME || kind == EXPR_ATTRIBUTE || kind == EXPR_SUBSCRIPT;
}

static bool asks_gpu(const Eval *eval, TermId condition) {
    const Term *term = &eval->inference->book->terms[condition];
    if (!condition) return false;
    for (uint32_t i = 0; term->kind != TERM_WORD && i < term->count; i++)
        if (asks_gpu(eval, term_argument(eval, term, i))) return true;
    if (term->kind != TERM_WORD) return false;
    bool inside = term->word == COND_has || term->word == COND_bound || term->word == COND_each ||
                  term->word == COND_unnamed;
    return inside ? asks_gpu(eval, term_argument(eval, term, 0)) : term->word == COND_cuda;
}

/* An unknown call (or, for a bare flag, a convention) says tensor, but it is used where a number is expected.
   Orders, sizes and flags come from such calls too, and code that has a tensor reads a number from it first:
   `range(order)`, `x[:size]`, `if flag:`. */
bool believed_number(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound) {
    if (effect_confidence(made) != CONFIDENCE_LIKELY || !does_plain_work(eval, made, role)) return false;
    bool truth = is_truth(eval, made->hazard), flag = truth && role == EFFECT_USE && is_bare(eval, made->expr);
    if (truth && role == EFFECT_OWN) return false; /* torch.equal(x, y) */
    TensorsSeen first = {.flags = flag ? ALT_GUESS | ALT_BATCH : ALT_GUESS}, rest = first;
    bool several = false;
    for (uint32_t i = 0, asked = 0; i < bound->clause->param_count; i++) {
        if (!asks_gpu(eval, eval->inference->book->params[bound->clause->first_param + i].condition)) continue;
        several |= asked > 0;
        see_tensors(eval, bound->values[i], 0, asked++ ? &rest : &first);
    }
    TensorsSeen asked_for = several ? rest : first; /* of x[:size] it is the size */
    return asked_for.tensor && !asked_for.solid;
}

bool hardly_waits(Eval *eval, const EffectRecord *made, const Bound *bound) {
    const Evidence both = evidence(SEEN_OTHERS) | evidence(SEEN_PROPERTY);
    if (!is_guess(made)) return false;
    if (sides_unknown(eval, bound) || depends_on_unknown(eval, bound, made->evidence)) return true;
    if (made->copies && (made->evidence & both) == both) return true;
    return (made->evidence & (evidence(SEEN_PROPERTY) | evidence(SEEN_PRINTED))) &&
           is_print(eval, made->hazard);
}

bool perhaps_number(Eval *eval, const EffectRecord *made, EffectRole role) {
    bool computed = (made->evidence & evidence(SEEN_COMPUTED)) && !(made->evidence & evidence(SEEN_VALUE));
    if (!is_guess(made) || computed) return false;
    return reads_unasked(eval, made, role) ||
           ((made->evidence & evidence(SEEN_OTHERS)) && does_plain_work(eval, made, role));
}
