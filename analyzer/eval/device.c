/* Names of devices in strings: "cuda:0" in f-strings and formats, and comparisons with such names. The priced
   run has a GPU, so a test whether an unknown name is that of a GPU says yes, one for another accelerator no.
   In a program that names another accelerator and no CUDA, that accelerator counts as the GPU. */
#include "narrow.h"
#include "conventions.h"
#include <stdio.h>

static Text accelerator_of(const Rulebook *book, const Program *program) {
    for (uint32_t i = 0; i < name_rows(book, NAMED_accelerator); i++) {
        Text name = name_row(book, NAMED_accelerator, i);
        char first[16];
        snprintf(first, sizeof first, "%.*s:0", (int)name.length, name.bytes);
        const Text words[] = {name, text_of(first)};
        if (program_mentions(program, words, 2)) return name;
    }
    return (Text){0};
}

GpuNames infer_gpu_names(const Program *program, const Rulebook *book) {
    GpuNames names = {0};
    for (uint32_t i = 0; i < name_rows(book, NAMED_cuda_mention); i++) {
        Text word = name_row(book, NAMED_cuda_mention, i);
        names.any |= program_mentions(program, &word, 1);
    }
    if (names.any) return names;
    names.accelerator = accelerator_of(book, program);
    names.any = names.accelerator.length > 0;
    return names;
}

bool device_other(const Eval *eval) {
    Inference *inference = eval->inference;
    return inference->accelerated = inference->accelerator.length > 0;
}

Device device_named(const Eval *eval, Text text) {
    const Rulebook *book = eval->inference->book;
    if (name_is(book, NAMED_gpu_place, text) || name_is(book, NAMED_gpu_backend, text)) return DEVICE_CUDA;
    if (name_is(book, NAMED_host_place, text) || name_is(book, NAMED_host_backend, text)) return DEVICE_CPU;
    for (uint32_t i = 0; i < name_rows(book, NAMED_accelerator); i++) {
        Text name = name_row(book, NAMED_accelerator, i);
        bool numbered = text_starts(text, name) && text.length > name.length && text.bytes[name.length] == ':';
        if (text_equal(text, name) || numbered) return device_other(eval) ? DEVICE_CUDA : DEVICE_CPU;
    }
    return DEVICE_UNKNOWN;
}

static Text literal_text(const Eval *eval, const Value *value) {
    if (!value || value->count != 1 || value->alts[0].kind != KIND_TEXT || !value->alts[0].id) return (Text){0};
    return sym_text(eval, value->alts[0].id);
}

/* f"cuda:{rank}", "cuda:%d" % rank, "cuda:" + str(rank): some GPU. f"cpu:gloo,{device}:{backend}" of a process
   group is on whatever pages know as a GPU. */
const Value *device_text(Eval *eval, const Value *beginning) {
    Text text = literal_text(eval, beginning);
    bool group = text_starts(text, TEXT("cpu:gloo,"));
    if (!group && !name_is(eval->inference->book, NAMED_gpu_place, text)) return kind_value(eval, KIND_TEXT);
    Names *names = eval->inference->names;
    return literal_value(eval, KIND_TEXT,
                         names_intern(names, group ? TEXT("cpu:gloo,cuda:nccl")
                                                   : name_row(eval->inference->book, NAMED_gpu_place, 0)));
}

const Value *contracted(Eval *eval, const Stmt *stmt, const Value *value) {
    Inference *inference = eval->inference;
    StmtId id = (StmtId)(stmt - eval->model->stmts.items);
    ContractId on = contract_on(inference->contracts, eval->file_id, id, CONTRACT_CUDA);
    Device device = on ? DEVICE_CUDA : DEVICE_CPU;
    if (!on) on = contract_on(inference->contracts, eval->file_id, id, CONTRACT_CPU);
    if (!on || !value) return value;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        Alt *alt = &alts[i];
        *alt = value->alts[i];
        bool holder = alt->kind == KIND_INSTANCE || alt->kind == KIND_OBJECT;
        if (alt->kind != KIND_TENSOR && alt->kind != KIND_UNKNOWN && alt->kind != KIND_DEVICE && !holder)
            continue;
        OriginId origin = origin_at(eval, ORIGIN_ASSIGNED, inference->contracts->items.items[on].words);
        if (alt->kind == KIND_UNKNOWN) {
            *alt = alt_tensor(device, 0, origin);
            alt->flags = ALT_BATCH; /* in whatever structure */
        }
        alt->device = (uint8_t)device, alt->origin = origin, alt->belief = 0;
        if (alt->kind == KIND_TENSOR) alt->pinned = TRI_NO;
    }
    return value_from(&inference->values, alts, value->count);
}

static Device named_place(const Eval *eval, const Alt *alt) {
    if (alt->kind == KIND_DEVICE) return (Device)alt->device;
    return alt->kind == KIND_TEXT && alt->id ? device_named(eval, sym_text(eval, alt->id)) : DEVICE_UNKNOWN;
}

/* The CPU, or `self.device = None` until it is set. */
static bool is_other_place(const Eval *eval, ExprId expr, const Alt *alt) {
    bool kept = eval->model->exprs.items[expr].kind == EXPR_ATTRIBUTE;
    return alt->kind == KIND_NONE ? kept : named_place(eval, alt) == DEVICE_CPU;
}

/* `def __init__(self, device=None)`: if the device is the GPU, callers pass it, so None is as good. */
static bool is_told_by_callers(const Eval *eval, const Alt *alt) {
    return alt->origin && eval->inference->values.origins.items[alt->origin].kind == ORIGIN_ARGUMENT;
}

/* device = "cpu" and later "cuda:0": where a device may be either, it is the GPU of the priced run. */
const Value *priced_place(Eval *eval, ExprId expr, const Value *value) {
    bool gpu = false, other = false, told = false;
    for (uint32_t i = 0; value && value->count > 1 && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (named_place(eval, alt) == DEVICE_CUDA) gpu = true, told |= is_told_by_callers(eval, alt);
        other |= is_other_place(eval, expr, alt);
    }
    if (!gpu || !other || (told && value_has(value, KIND_NONE))) return value;
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < value->count; i++) {
        if (is_other_place(eval, expr, &value->alts[i])) continue;
        alts[count] = value->alts[i];
        if (named_place(eval, &alts[count]) == DEVICE_CUDA) alts[count].belief |= BELIEVED;
        count++;
    }
    return value_from(&eval->inference->values, alts, count);
}

/* The number of a GPU, by its name: `gpu`, `args.local_rank`, `opt.gpu_ids[0]`. */
static bool names_number(const Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    bool item = expr->kind == EXPR_SUBSCRIPT;
    if (item) expr = &eval->model->exprs.items[expr->a];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return false;
    Text text = model_name(eval->model, expr->name);
    if (text_starts(text, TEXT("_"))) text = text_slice(text, 1, text.length);
    return name_is(eval->inference->book, item ? NAMED_gpu_numbers : NAMED_gpu_number, text);
}

static void place_argument(Eval *eval, ExprId expr, const Value **value) {
    if (!(value_only(*value, KIND_HOST) || value_only(*value, KIND_UNKNOWN)) || !names_number(eval, expr))
        return;
    OriginId origin = origin_of(eval, ORIGIN_NAME, expr, 0);
    *value = value_of(&eval->inference->values,
                      (Alt){.kind = KIND_DEVICE, .device = DEVICE_CUDA, .belief = BELIEVED, .origin = origin});
}

void place_numbers(Eval *eval, Sym callee, Args *args) {
    Text name = sym_text(eval, callee);
    if (args->count && name_is(eval->inference->book, NAMED_placing_call, name))
        place_argument(eval, args->exprs[0], &args->values[0]);
    for (uint32_t i = 0; i < args->named_count; i++)
        if (args->names[i] == eval->inference->known->device_name)
            place_argument(eval, args->named_exprs[i], &args->named[i]);
}

bool is_moved_later(Eval *eval, const Alt *alt) {
    if (alt->device != DEVICE_CPU || (alt->flags & ALT_LEFT_ON_CPU) || !eval->inference->names_gpu)
        return false;
    return alt->kind == KIND_TENSOR ? (alt->flags & ALT_LAZY) != 0 : is_module_alt(eval, alt);
}

/* for m in net.modules() */
const Value *part_of_module(Eval *eval, const Value *value) {
    const Value *result = NULL;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool there = is_module_alt(eval, alt) && alt->device == DEVICE_CUDA;
        Alt part = {.kind = there ? KIND_OBJECT : KIND_UNKNOWN,
                    .id = there ? eval->inference->known->module : 0,
                    .device = there ? DEVICE_CUDA : DEVICE_UNKNOWN,
                    .belief = there ? alt->belief : 0,
                    .flags = there ? ALT_GUESS : 0,
                    .pinned = there ? TRI_UNKNOWN : TRI_NO,
                    .origin = there ? alt->origin : 0};
        result = join_values(eval, result, value_of(&eval->inference->values, part));
    }
    return result;
}

const Value *device_truth(Eval *eval, bool truth) {
    const Known *known = eval->inference->known;
    return value_of(&eval->inference->values, (Alt){.kind = KIND_NUMBER,
                                                    .dtype = DTYPE_BOOL,
                                                    .flags = ALT_AVAILABLE,
                                                    .id = truth ? known->true_text : known->false_text});
}

/* Whether the compared value may be the GPU's name, and whether it may be another device's. */
static void may_name(const Eval *eval, const Value *value, bool *gpu, bool *other) {
    *gpu = *other = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        Device device = alt->kind == KIND_DEVICE            ? (Device)alt->device
                        : alt->kind == KIND_TEXT && alt->id ? device_named(eval, sym_text(eval, alt->id))
                                                            : DEVICE_UNKNOWN;
        bool literal = alt->kind == KIND_TEXT && alt->id;
        if (device == DEVICE_CUDA || (device == DEVICE_UNKNOWN && !literal)) *gpu = true;
        if (device == DEVICE_CPU || literal) *other |= device != DEVICE_CUDA;
    }
}

const Value *device_literal(Eval *eval, ExprId id, const Value *value) {
    const Expr *expr = &eval->model->exprs.items[id], *callee = &eval->model->exprs.items[expr->a];
    if (expr->kind != EXPR_CALL || expr->list.count != 1 || callee->kind != EXPR_ATTRIBUTE ||
        !name_is(eval->inference->book, NAMED_device_name, model_name(eval->model, callee->name)))
        return value;
    ExprId name = eval->model->links.items[expr->list.first];
    return eval->model->exprs.items[name].kind == EXPR_STRING ? infer_fact(eval->context, eval->model, name)
                                                              : value;
}

/* The result of comparing a device with a name; NULL when it is no such comparison. */
const Value *device_test(Eval *eval, Operator op, const Value *left, const Value *right) {
    bool equal = op == OP_EQ || op == OP_NE, in = op == OP_IN || op == OP_NOT_IN, gpu, other;
    if (!equal && !in) return NULL;
    Text asked = literal_text(eval, right);
    const Value *subject = left;
    if (in || !device_named(eval, asked)) asked = literal_text(eval, left), subject = right;
    Device device = device_named(eval, asked);
    if (!device || value_has(subject, KIND_CONTAINER) || value_has(subject, KIND_TENSOR)) return NULL;
    may_name(eval, subject, &gpu, &other);
    if (!gpu && !other) return NULL;
    bool is = device == DEVICE_CUDA ? gpu : !gpu;
    if (device == DEVICE_CPU && is && !text_equal(asked, literal_text(eval, subject))) return NULL;
    return device_truth(eval, is == (op == OP_EQ || op == OP_IN));
}

/* `data.train_mask = torch.zeros(n, dtype=torch.bool)`, then `data = data.to(device)`: the contents of a graph
   or batch move with it. A tensor in a plain attribute of a module does not. */
const Value *moved_with(Eval *eval, const Alt *owner, const Value *kept) {
    if (owner->device != DEVICE_CUDA || is_module_alt(eval, owner)) return kept;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < kept->count; i++) {
        alts[i] = kept->alts[i];
        if (alts[i].kind != KIND_TENSOR || alts[i].device != DEVICE_CPU) continue;
        alts[i].device = DEVICE_CUDA;
        alts[i].origin = owner->origin;
        alts[i].belief |= owner->belief | BELIEVED;
    }
    return value_from(&eval->inference->values, alts, kept->count);
}

static bool is_made_on_host(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool tensor =
            alt->kind == KIND_TENSOR && !(alt->flags & ALT_BATCH); /* no structure, of which parts were moved */
        if (!tensor || alt->device != DEVICE_CPU) return false;
    }
    return value != NULL;
}

/* `model(x)` where only a convention says that the model is on the GPU, and x was visibly made on the CPU and
   never moved: the model is on the CPU too, or it would raise. Unless it moves its inputs; so the device of its
   result is unknown. */
bool is_outvoted(Eval *eval, const Value *model, const Value *args) {
    if (!model || model->count != 1 || model->alts[0].device != DEVICE_CUDA ||
        !is_module_alt(eval, &model->alts[0]))
        return false;
    OriginId origin = model->alts[0].origin;
    if (!origin || eval->inference->values.origins.items[origin].kind != ORIGIN_PARAMETER) return false;
    bool tuple = args && args->count == 1 && args->alts[0].kind == KIND_CONTAINER;
    const Object *object = tuple ? infer_object(eval->inference, args->alts[0].object) : NULL;
    if (!object || object->open || !object->key_count) return false;
    for (uint32_t i = 0; i < object->key_count; i++)
        if (!is_made_on_host(object_get(eval, args->alts[0].object, position_key(i)))) return false;
    return true;
}
