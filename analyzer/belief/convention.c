/* Conventions: the value of an argument that nobody passes, or of a variable, by its name and by how the
   function uses it. */
#include "belief.h"
#include "conventions.h"
#include "hints.h"

/* pack_padded_sequence raises if the lengths are on the GPU, x.numpy() if x is. */
const Value *tensors_on_host(Eval *eval, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind != KIND_TENSOR) continue;
        alts[i].device = DEVICE_CPU;
        alts[i].flags &= (uint16_t)~ALT_GUESS;
        alts[i].origin = 0;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

/* A guess or convention says tensor, but its use says string, number or flag: the use wins. */
static const Value *plain_by_use(Eval *eval, uint32_t slot, const Value *value) {
    uint32_t use = eval->use[slot];
    bool text = use & USE_TEXT, plain = uses_say_host(use);
    bool param = eval->model->locals.items[eval->func->first_local + slot - 1].is_param;
    const Value *result = NULL;
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool tensor = alt->kind == KIND_TENSOR && alt->belief;
        bool believed = tensor && (alt->flags & (ALT_BATCH | ALT_GUESS));
        bool convention = believed && (param || eval->unpacks) && !(alt->flags & ALT_GUESS);
        const Value *one = text && tensor        ? kind_value(eval, KIND_TEXT)
                           : plain && convention ? kind_value(eval, KIND_NUMBER)
                                                 : alt_value(eval, alt);
        result = join_values(eval, result, one);
    }
    return result;
}

/* What backward() is called on is a loss: a GPU scalar, as the priced run has a GPU. */
static const Value *loss_by_use(Eval *eval, const Value *value, Span span) {
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    bool changed = false, cuda = false;
    for (uint32_t i = 0; i < value->count; i++)
        cuda |= value->alts[i].kind == KIND_TENSOR && value->alts[i].device == DEVICE_CUDA;
    for (uint32_t i = 0; i < value->count; i++) {
        Alt alt = value->alts[i];
        bool tensor = alt.kind == KIND_TENSOR;
        if (tensor && alt.device == DEVICE_CPU && cuda) { /* the priced run has a GPU */
            changed = true;
            continue;
        }
        if (alt.kind == KIND_UNKNOWN || (alt.flags & ALT_GUESS)) {
            OriginId origin = alt.origin ? alt.origin : origin_at(eval, ORIGIN_USE, span);
            alt = alt_tensor(DEVICE_CUDA, BELIEVED, origin);
            alt.dtype = DTYPE_FLOAT, alt.dims = DIMS_SCALAR, alt.flags = ALT_GRADIENT;
            changed = true;
        } else if (tensor && alt.device == DEVICE_UNKNOWN) {
            alt.device = DEVICE_CUDA, alt.belief = BELIEVED, alt.pinned = TRI_NO;
            alt.origin = origin_at(eval, ORIGIN_USE, span);
            changed = true;
        }
        alts[count++] = alt;
    }
    return changed ? value_from(&eval->inference->values, alts, count) : value;
}

const Value *narrowed_by_use(Eval *eval, uint32_t slot, const Value *value, Span span) {
    uint32_t use = eval->use[slot];
    if (use & (USE_LENGTHS | USE_NUMPY)) return tensors_on_host(eval, value);
    if (use & USE_BACKWARD) return loss_by_use(eval, value, span);
    return (use & USE_TEXT) || uses_say_host(use) ? plain_by_use(eval, slot, value) : value;
}

const Value *likely_tensor(Eval *eval, Span span, uint8_t flags) {
    Alt alt = alt_tensor(DEVICE_CUDA, BELIEVED, origin_at(eval, ORIGIN_PARAMETER, span));
    alt.flags = flags;
    return value_of(&eval->inference->values, alt);
}

const Value *likely_object(Eval *eval, EntryId entry, Span span, bool on_gpu) {
    Alt alt = {.kind = KIND_OBJECT, .id = entry, .belief = BELIEVED, .pinned = TRI_UNKNOWN};
    if (on_gpu) alt.device = DEVICE_CUDA, alt.origin = origin_at(eval, ORIGIN_PARAMETER, span);
    return value_of(&eval->inference->values, alt);
}

/* `loader` if it is iterated; `train_loader` even if not, as it may be stored and iterated elsewhere. */
static bool names_loader(const Rulebook *book, Text name, uint32_t use) {
    if (use & (USE_CALLED | USE_TEXT)) return false;
    return name_is(book, NAMED_kept_loader, name) ||
           ((use & USE_ITERATED) && name_is(book, NAMED_iterated_loader, name));
}

/* An unknown value named as loaders are, in `for x, y in tqdm(self.train_loader):`. A variable only where it is
   iterated. */
const Value *loader_by_name(Eval *eval, ExprId id, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[id];
    EntryId loader = eval->inference->known->loader;
    bool local = expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot;
    if (!loader || (expr->kind == EXPR_NAME && !local)) return value;
    bool named = names_loader(eval->inference->book, model_name(eval->model, expr->name),
                              local ? eval->use[expr->slot] : 0);
    return named ? likely_object(eval, loader, expr->span, false) : value;
}

/* What nothing is known of is a module if it is asked for its parameters: `clip(self.model.parameters())`. */
const Value *module_by_method(Eval *eval, const Value *object, Text method, Span span) {
    const Rulebook *book = eval->inference->book;
    if (!value_only(object, KIND_UNKNOWN) || !name_is(book, NAMED_module_method, method) ||
        !name_is(book, NAMED_state_method, method))
        return object;
    Alt alt = likely_object(eval, eval->inference->known->module, span, true)->alts[0];
    alt.origin = origin_at(eval, ORIGIN_MODEL, span);
    return value_of(&eval->inference->values, alt);
}

/* `__call__` of a class that is no module: often a transform, which a data set runs on the CPU. */
static bool is_transform(const Eval *eval) {
    return eval->func->class_id && sym_of(eval, eval->func->name) == eval->inference->known->call;
}

const Value *named_parameter(Eval *eval, Text name, uint32_t use, Span span) {
    const Known *known = eval->inference->known;
    const Rulebook *book = eval->inference->book;
    bool host = name_is(book, NAMED_host_device_name, name);
    if (name_is(book, NAMED_dtype_parameter, name)) return kind_value(eval, KIND_DTYPE);
    if (host || name_is(book, NAMED_device_name, name))
        return value_of(&eval->inference->values, (Alt){.kind = KIND_DEVICE,
                                                        .device = host ? DEVICE_CPU : DEVICE_CUDA,
                                                        .belief = BELIEVED,
                                                        .origin = origin_at(eval, ORIGIN_ARGUMENT, span)});
    if (use & USE_BACKWARD) return likely_tensor(eval, span, ALT_GRADIENT);
    if (use & USE_OUTPUT) return likely_tensor(eval, span, ALT_BATCH);
    if ((use & USE_TENSOR) && name_is(book, NAMED_output_name, name)) return likely_tensor(eval, span, 0);
    if (use & USE_MODULE) return likely_object(eval, known->module, span, true);
    if ((use & USE_COMPUTED) && !is_transform(eval)) return likely_tensor(eval, span, 0);
    if ((use & USE_CALLED) && name_is(book, NAMED_called_module, name))
        return likely_object(eval, known->module, span, true);
    if ((use & USE_OPTIMIZER) && name_is(book, NAMED_optimizer_name, name))
        return likely_object(eval, known->optimizer, span, true);
    if (known->loader && names_loader(book, name, use)) return likely_object(eval, known->loader, span, false);
    return NULL;
}

/* x[mask], x[~self.padding_mask] with an index of unknown elements: likely booleans. */
const Value *masked_by_name(Eval *eval, ExprId index_expr, const Value *index) {
    const Expr *expr = &eval->model->exprs.items[index_expr];
    if (expr->kind == EXPR_UNARY && expr->op == OP_INVERT) expr = &eval->model->exprs.items[expr->a];
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    if (!index || !named ||
        !name_is(eval->inference->book, NAMED_mask_name, model_name(eval->model, expr->name)))
        return index;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < index->count; i++) {
        alts[i] = index->alts[i];
        if (alts[i].kind != KIND_TENSOR || alts[i].dtype != DTYPE_UNKNOWN) continue;
        alts[i].dtype = DTYPE_BOOL;
        alts[i].belief |= BELIEVED;
    }
    return value_from(&eval->inference->values, alts, index->count);
}

/* `def __init__(self, env, device="cpu")`: an object made for a run is told the run's device; a function that
   loads or converts is not. */
bool is_constructor(const Eval *eval) {
    return eval->func->class_id && sym_of(eval, eval->func->name) == eval->inference->known->init;
}

/* Names that say CPU: `def nms_cpu(boxes)`, a kernel in `backends.cpu`, a parameter `mask_cpu`. Not the x of
   `to_cpu(x)`, which is still on the GPU. The batch_sizes of a PackedSequence are always on the CPU
   (documentation of torch.nn.utils.rnn.PackedSequence). */
bool names_host(const Eval *eval, const Param *param) {
    Text name = model_name(eval->model, param->name);
    Text function = eval->func->name ? model_name(eval->model, eval->func->name) : (Text){0};
    Text module = sym_text(eval, eval->file->module);
    const Rulebook *book = eval->inference->book;
    return name_is(book, NAMED_host_parameter, name) || name_is(book, NAMED_host_module, module) ||
           (name_is(book, NAMED_host_function, function) && !name_is(book, NAMED_fetching_function, function));
}

bool framework_calls(Inference *inference, GlobalClass class_id, Sym method, CallRate *rate,
                     const Clause **declared) {
    const Rulebook *book = inference->book;
    const ClassInfo *info = class_info(inference, class_id);
    EntryId base = info->entry_base             ? info->entry_base
                   : info->is_module == TRI_YES ? inference->known->module
                                                : 0;
    EntryId entry = base ? member_of(inference, base, names_text(&inference->program->names, method)) : 0;
    if (!entry) return false;
    const Entry *found = &book->entries[entry];
    for (uint32_t c = 0; c < found->clause_count; c++) {
        const Clause *clause = &book->clauses[found->first_clause + c];
        for (uint32_t e = 0; e < clause->effect_count; e++) {
            const RuleEffect *effect = &book->effects[clause->first_effect + e];
            if (effect->word != EFF_called) continue;
            Word word = (Word)book->terms[book->term_links[effect->first]].word;
            *rate = word == WORD_once         ? RATE_ONCE
                    : word == WORD_step       ? RATE_STEP
                    : word == WORD_epoch      ? RATE_EPOCH
                    : word == WORD_evaluation ? RATE_EVALUATION
                    : word == WORD_worker     ? RATE_WORKER
                                              : RATE_FORWARD;
            *declared = clause;
            return true;
        }
    }
    return false;
}
