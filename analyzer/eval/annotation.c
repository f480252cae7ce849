/* Annotations: what `x: Tensor`, `-> list[Tensor]` and the like say about a value; and parameters that nobody
   passes. */
#include "eval.h"
#include "belief.h"
#include "construct.h"
#include "conventions.h"
#include "hints.h"
#include "module.h"
#include "python_names.h"

static bool plain_kinds(Eval *eval, const Value *value, bool tensors, int depth);

static const Value *annotated_entry(Eval *eval, const Alt *alt, Span span) {
    const Rulebook *book = eval->inference->book;
    const Known *known = eval->inference->known;
    const Entry *entry = &book->entries[alt->id];
    Text name = rulebook_text(book, entry->qualified);
    if (alt->id == known->tensor || name_is(book, NAMED_shaped_type, name)) return likely_tensor(eval, span, 0);
    if (name_is(book, NAMED_number_class, name)) return kind_value(eval, KIND_NUMBER);
    if (name_is(book, NAMED_text_class, name)) return kind_value(eval, KIND_TEXT);
    if (alt->id == known->ndarray) return kind_value(eval, KIND_NUMPY);
    if (name_is(book, NAMED_size_class, name)) return kind_value(eval, KIND_HOST);
    if (name_is(book, NAMED_device_class, name))
        return value_of(&eval->inference->values, (Alt){.kind = KIND_DEVICE,
                                                        .device = DEVICE_CUDA,
                                                        .belief = BELIEVED,
                                                        .origin = origin_at(eval, ORIGIN_ARGUMENT, span)});
    if (entry->kind != ENTRY_CLASS || name_is(book, NAMED_plain_type, name)) return NULL;
    return likely_object(eval, alt->id, span, known->module && rulebook_inherits(book, alt->id, known->module));
}

/* tuple[int, ...] */
static bool open_ended(const Eval *eval, const Expr *parts) {
    ExprId last = eval->model->links.items[parts->list.first + parts->list.count - 1];
    return eval->model->exprs.items[last].kind == EXPR_ELLIPSIS;
}

/* The elements of tuple[int, int], list[Tensor], dict[str, Tensor]. */
static const Value *annotated_container(Eval *eval, ExprId id, Text name, ExprId inner) {
    static const struct {
        Named named;
        Flavour flavour;
    } CONTAINERS[] = {{NAMED_tuple_type, FLAVOUR_TUPLE},
                      {NAMED_list_type, FLAVOUR_LIST},
                      {NAMED_set_type, FLAVOUR_SET},
                      {NAMED_dict_type, FLAVOUR_DICT}};
    for (size_t i = 0; i < sizeof CONTAINERS / sizeof *CONTAINERS; i++) {
        if (!name_is(eval->inference->book, CONTAINERS[i].named, name)) continue;
        ObjectId object = object_part(eval, id, PART_DECLARED, CONTAINERS[i].flavour);
        const Expr *parts = &eval->model->exprs.items[inner];
        uint32_t first = CONTAINERS[i].flavour == FLAVOUR_DICT ? 1 : 0;
        if (parts->kind != EXPR_TUPLE) {
            const Value *element = first ? NULL : annotated(eval, inner);
            object_add(eval, object, element ? element : kind_value(eval, KIND_UNKNOWN));
        }
        for (uint32_t k = first; parts->kind == EXPR_TUPLE && k < parts->list.count; k++) {
            ExprId part = eval->model->links.items[parts->list.first + k];
            if (eval->model->exprs.items[part].kind == EXPR_ELLIPSIS) continue;
            const Value *element = annotated(eval, part);
            if (!element) element = kind_value(eval, KIND_UNKNOWN);
            bool record = CONTAINERS[i].flavour == FLAVOUR_TUPLE && !open_ended(eval, parts);
            if (record)
                store_write(eval->inference, object_slot(eval->inference, object, position_key(k)), element);
            else
                object_add(eval, object, element);
        }
        return object_value(eval, object);
    }
    return NULL;
}

static const Value *instances_of(Eval *eval, const Value *type, Span span) {
    const Value *result = NULL;
    for (uint32_t i = 0; type && i < type->count; i++) {
        const Alt *alt = &type->alts[i];
        if (alt->kind == KIND_ENTRY)
            result = value_join(&eval->inference->values, result, annotated_entry(eval, alt, span));
        if (alt->kind != KIND_CLASS) continue;
        Alt instance = {.kind = KIND_INSTANCE, .id = alt->id, .belief = BELIEVED};
        if (class_info(eval->inference, alt->id)->is_module == TRI_YES)
            instance.device = DEVICE_CUDA, instance.origin = origin_at(eval, ORIGIN_PARAMETER, span);
        result = value_join(&eval->inference->values, result, value_of(&eval->inference->values, instance));
    }
    return result;
}

/* `def copy(self) -> Self` */
static const Value *own_kind(Eval *eval) {
    bool method = eval->func->class_id && eval->func->param_count;
    const Value *self = method ? eval->context->args[0] : NULL;
    return value_has(self, KIND_INSTANCE) ? self : NULL;
}

/* `int`, `float`: a name that the module does not bind is a built-in. */
static const Value *builtin_type(Eval *eval, Text name, const Value *bound) {
    if ((bound && !value_has(bound, KIND_UNKNOWN)) || !eval->inference->known->builtins) return bound;
    EntryId builtin = child_of(eval->inference, eval->inference->known->builtins, name);
    return builtin ? bound_value(eval, 0, KIND_ENTRY, builtin, NULL, 0) : bound;
}

static const Value *type_member(Eval *eval, const Value *base, Text name) {
    const Value *member = NULL;
    for (uint32_t i = 0; base && i < base->count; i++) {
        const Alt *alt = &base->alts[i];
        if (alt->kind == KIND_MODULE) {
            Sym sym = names_intern(eval->inference->names, name);
            member = module_attribute(eval, alt->id, sym);
        }
        if (alt->kind != KIND_ENTRY) continue;
        EntryId child = child_of(eval->inference, alt->id, name);
        if (child) member = bound_value(eval, 0, KIND_ENTRY, child, NULL, 0);
    }
    return member;
}

/* The class that a name or dotted path in an annotation refers to, in the file's scope. */
static const Value *annotated_type(Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return NULL;
    Text name = model_name(eval->model, expr->name);
    bool own = id >= eval->func->first_expr && id < eval->func->end_expr;
    const Value *type = own ? eval_expr(eval, id)
                        : expr->kind == EXPR_ATTRIBUTE
                            ? type_member(eval, annotated_type(eval, expr->a), name)
                            : module_attribute(eval, eval->file_id, sym_of(eval, expr->name));
    return expr->kind == EXPR_NAME ? builtin_type(eval, name, type) : type;
}

/* "Trainer", "torch.Tensor": an annotation in quotes, where it is a plain path. */
static const Value *quoted_type(Eval *eval, Text path) {
    const Value *type = NULL;
    for (uint32_t start = 0, at = 0; at <= path.length; at++) {
        bool end = at == path.length || path.bytes[at] == '.';
        if (!end && !text_is_word(path.bytes[at])) return NULL;
        if (!end) continue;
        Text name = text_slice(path, start, at);
        Sym sym = names_intern(eval->inference->names, name);
        type = start ? type_member(eval, type, name)
                     : builtin_type(eval, name, module_attribute(eval, eval->file_id, sym));
        start = at + 1;
    }
    return type;
}

/* Union[Tensor, list[Tensor]]: any of them. If a part has no tensor or is unknown, the union says nothing. */
static const Value *annotated_union(Eval *eval, ExprId inner) {
    const Expr *parts = &eval->model->exprs.items[inner];
    const Value *result = NULL;
    for (uint32_t i = 0; parts->kind == EXPR_TUPLE && i < parts->list.count; i++) {
        const Value *part = annotated(eval, eval->model->links.items[parts->list.first + i]);
        bool tensors = plain_kinds(eval, part, true, 0) && !plain_kinds(eval, part, false, 0);
        if (!tensors && !value_only(part, KIND_NONE)) return NULL;
        result = value_join(&eval->inference->values, result, part);
    }
    return result;
}

/* `Tensor` in `Float[Tensor, "batch"]`; an index that is no pair (`Float[()]`) is returned as it is. */
static ExprId first_index(const FileModel *model, ExprId index) {
    const Expr *expr = &model->exprs.items[index];
    return expr->kind == EXPR_TUPLE && expr->list.count ? model->links.items[expr->list.first] : index;
}

/* `Config | None`, `Optional[Config]`: with a class that is not known, this says nothing. */
static const Value *either(Eval *eval, const Value *a, const Value *b) {
    if ((!a && value_only(b, KIND_NONE)) || (!b && value_only(a, KIND_NONE))) return NULL;
    return value_join(&eval->inference->values, a, b);
}

/* Annotations give kinds. A tensor without a device is likely on the GPU where it is computed with. */
const Value *annotated(Eval *eval, ExprId id) {
    if (!id) return NULL;
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind == EXPR_NONE) return kind_value(eval, KIND_NONE);
    if (expr->kind == EXPR_BINARY && expr->op == OP_OR)
        return either(eval, annotated(eval, expr->a), annotated(eval, expr->b));
    if (expr->kind == EXPR_SUBSCRIPT) {
        const Expr *outer = &eval->model->exprs.items[expr->a];
        Text name = outer->name ? model_name(eval->model, outer->name) : (Text){0};
        if (python_is(PY_Optional, name))
            return either(eval, annotated(eval, expr->b), kind_value(eval, KIND_NONE));
        if (python_is(PY_Union, name)) return annotated_union(eval, expr->b);
        if (name_is(eval->inference->book, NAMED_shaped_annotation, name))
            return annotated(eval, first_index(eval->model, expr->b));
        return annotated_container(eval, id, name, expr->b);
    }
    if (expr->kind == EXPR_NAME && python_is(PY_Self, model_name(eval->model, expr->name)))
        return own_kind(eval);
    const Value *type = expr->kind == EXPR_STRING ? quoted_type(eval, model_name(eval->model, expr->name))
                                                  : annotated_type(eval, id);
    return instances_of(eval, type, expr->span);
}

/* Only numbers, strings, arrays, devices and dtypes, also in containers; with `tensors`, tensors too. */
static bool plain_kinds(Eval *eval, const Value *value, bool tensors, int depth) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool plain = alt->kind == KIND_NONE || alt->kind == KIND_NUMBER || alt->kind == KIND_TEXT ||
                     alt->kind == KIND_NUMPY || alt->kind == KIND_HOST || alt->kind == KIND_DEVICE ||
                     alt->kind == KIND_DTYPE || (tensors && alt->kind == KIND_TENSOR);
        bool holds = alt->kind == KIND_CONTAINER && depth < 3 &&
                     plain_kinds(eval, object_any(eval, alt->object), tensors, depth + 1);
        if (!plain && !holds) return false;
    }
    return value && value->count;
}

/* `scores: tuple`, `batch: dict[str, Tensor]` */
static bool says_container(const Eval *eval, ExprId annotation) {
    const Expr *expr = &eval->model->exprs.items[annotation];
    if (expr->kind == EXPR_SUBSCRIPT) expr = &eval->model->exprs.items[expr->a];
    return expr->kind == EXPR_NAME &&
           name_is(eval->inference->book, NAMED_container_type, model_name(eval->model, expr->name));
}

/* What is annotated as a container is none of the tensors that it may be by another branch or by belief. */
static const Value *known_container(Eval *eval, ExprId annotation, const Value *value) {
    if (!annotation || !value_has(value, KIND_TENSOR) || !says_container(eval, annotation)) return value;
    const Value *rest = value_drop(&eval->inference->values, value, KIND_TENSOR);
    if (!rest || !rest->count) rest = annotated(eval, annotation);
    return rest ? rest : kind_value(eval, KIND_UNKNOWN);
}

/* The annotation is a settings class of the program: `config: RunConfig`. */
static bool says_settings(const Eval *eval, const Value *declared) {
    const Program *program = eval->inference->program;
    const Alt *alt = declared && declared->count == 1 ? &declared->alts[0] : NULL;
    if (!alt || alt->kind != KIND_INSTANCE) return false;
    FileId id = program_file_of_class(program, alt->id);
    const SourceFile *file = &program->files.items[id];
    const Class *class_ = &file->model->classes.items[alt->id - file->class_base];
    return name_is(eval->inference->book, NAMED_settings_class, model_name(file->model, class_->name));
}

/* An unknown value is what the annotation says. Where the annotation says number, string or array but inference
   believes in a tensor, a guess is dropped, and any other becomes one. */
const Value *checked_by_annotation(Eval *eval, ExprId annotation, const Value *value) {
    value = known_container(eval, annotation, value);
    bool doubtful = false, number = false, other = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        doubtful |= alt->kind == KIND_UNKNOWN || alt->kind == KIND_TENSOR;
        number |= alt->kind == KIND_NUMBER;
        other |= alt->kind == KIND_CONTAINER || alt->kind == KIND_DEVICE || alt->kind == KIND_DTYPE;
    }
    if (!annotation || (!doubtful && !(number && other))) return value;
    const Value *declared = annotated(eval, annotation);
    if (number && other && value_only(value_drop(&eval->inference->values, declared, KIND_NONE), KIND_NUMBER))
        return declared; /* out of *args, or of a configuration: the one that fits */
    if (value_only(value, KIND_UNKNOWN) && says_settings(eval, declared)) return declared;
    bool host = plain_kinds(eval, declared, false, 0);
    if (!host && (!plain_kinds(eval, declared, true, 0) || !value_has(value, KIND_UNKNOWN))) return value;
    Values *values = &eval->inference->values;
    const Value *result = declared;
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool tensor = host && alt->kind == KIND_TENSOR;
        if (alt->kind == KIND_UNKNOWN || (tensor && (alt->flags & ALT_GUESS))) continue;
        const Value *kept = alt_value(eval, alt);
        if (tensor) kept = value_believed(values, kept, GUESSED);
        result = value_join(values, result, kept);
    }
    return result;
}

static const Value *declared_value(Eval *eval, TermId condition, Span span) {
    const Rulebook *book = eval->inference->book;
    const Term *term = &book->terms[condition];
    if (!condition) return NULL;
    if (term->kind == TERM_ENTRY) return likely_object(eval, (EntryId)term->value, span, false);
    if (term->kind == TERM_AND || term->kind == TERM_OR)
        return declared_value(eval, book->term_links[term->first], span);
    if (term->kind != TERM_WORD) return NULL;
    switch ((Word)term->word) {
    case COND_cuda:
    case COND_mapping:
    case COND_has:
    case COND_each: return likely_tensor(eval, span, ALT_BATCH);
    case COND_tensor: return likely_tensor(eval, span, 0);
    case COND_module:
    case COND_module_cuda: return likely_object(eval, eval->inference->known->module, span, true);
    case COND_number: return kind_value(eval, KIND_NUMBER);
    case COND_text: return kind_value(eval, KIND_TEXT);
    case COND_numpy: return kind_value(eval, KIND_NUMPY);
    case COND_host: return kind_value(eval, KIND_HOST);
    case COND_is_a: {
        EntryId entry = (EntryId)book->terms[book->term_links[term->first]].value;
        EntryId module = eval->inference->known->module;
        return likely_object(eval, entry, span, module && rulebook_inherits(book, entry, module));
    }
    case COND_cpu: {
        Alt alt = alt_tensor(DEVICE_CPU, BELIEVED, 0);
        alt.flags = ALT_BATCH;
        return value_of(&eval->inference->values, alt);
    }
    default: return NULL;
    }
}

/* `def forward(x):` of an operation that sets up its context elsewhere: what comes first is no context. */
static bool lacks_context(Eval *eval) {
    GlobalClass class_id = eval->file->class_base + eval->func->class_id;
    return eval->func->class_id && eval->func->name &&
           !takes_context(eval->inference, class_id, sym_of(eval, eval->func->name));
}

static const Value *by_convention(Eval *eval, const Param *param, uint32_t position, const Clause *declared) {
    Text name = model_name(eval->model, param->name);
    Span span = eval->model->stmts.items[eval->func->stmt].head;
    uint32_t use = eval->use[param->slot];
    GlobalFunc global = global_func(eval->inference, eval->file_id, eval->func_id);
    const Value *fallback = param->fallback
                                ? store_read(eval->inference, eval->id,
                                             store_slot(eval->inference, STORE_DEFAULT, global, position))
                                : NULL;
    if (param->star) return kind_value(eval, KIND_UNKNOWN);
    if (fallback && !value_has(fallback, KIND_NONE) && !value_has(fallback, KIND_UNKNOWN)) {
        Alt plain = fallback->alts[0];
        Text place = plain.kind == KIND_TEXT && plain.id ? sym_text(eval, plain.id) : (Text){0};
        bool cuda = name_is(eval->inference->book, NAMED_gpu_place, place) ||
                    (name_is(eval->inference->book, NAMED_cpu_place, place) && is_constructor(eval));
        if (cuda && name_is(eval->inference->book, NAMED_device_name, name))
            return named_parameter(eval, name, use, span);
        if (plain.kind == KIND_NUMBER || plain.kind == KIND_TEXT) plain.id = 0;
        return fallback->count == 1 ? value_of(&eval->inference->values, plain) : fallback;
    }
    const Value *value = annotated(eval, param->annotation);
    /* what the framework's stub says comes before what the name suggests, but for `device: str` and `device != "cpu"` */
    if (!value && (use & USE_TEXT)) value = kind_value(eval, KIND_TEXT);
    if ((!value || value_only(value, KIND_TEXT)) && name_is(eval->inference->book, NAMED_device_name, name))
        value = named_parameter(eval, name, use, span);
    if (!value && declared && name_is(eval->inference->book, NAMED_settings_name, name))
        value = kind_value(eval, KIND_HOST);
    if (!value && declared && !(use & USE_NUMBER) && !uses_say_host(use)) {
        uint32_t at = position + lacks_context(eval);
        if (at >= declared->param_count) at = declared->param_count - 1;
        value = declared->param_count
                    ? declared_value(eval, eval->inference->book->params[declared->first_param + at].condition,
                                     span)
                    : NULL;
    }
    if (!value) value = named_parameter(eval, name, use, span);
    if (!value && ((use & USE_NUMBER) || uses_say_host(use))) value = kind_value(eval, KIND_NUMBER);
    if (!value) value = kind_value(eval, KIND_UNKNOWN);
    return fallback ? value_join(&eval->inference->values, value, fallback) : value;
}

const Value *assumed_parameter(Eval *eval, const Param *param, uint32_t position, const Clause *declared) {
    const Value *value = by_convention(eval, param, position, declared);
    return names_host(eval, param) ? tensors_on_host(eval, value) : value;
}
