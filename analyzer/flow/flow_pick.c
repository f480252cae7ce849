/* One of several classes, functions or methods is taken by a name: `getattr(models, args.model)`,
   `MODELS[args.model]`, `globals()[f"{kind}_loss"]`. Where the name has a default, the others need another name. */
#include "calls.h"
#include "flow_pick.h"

/* Limits: variables, calls and loops from a callee to what picks it; places visited in all. */
enum { PICKS_DEEP = 6, PICKS_ASKED = 100 };

static bool find_usual(const Walk *walk, Pick *pick) {
    Literal usual = usual_of(walk, pick->key);
    if (usual.kind != LITERAL_TEXT) return usual_names(walk, pick->key, &pick->usual);
    pick->usual = (Usuals){.items = {usual.text}, .count = 1, .option = usual.option};
    return true;
}

bool find_pick(const Walk *walk, ExprId id, Pick *pick) {
    const FileModel *model = walk->model;
    ExprId made = assigned_once(walk, &model->exprs.items[id]);
    const Expr *expr = &model->exprs.items[made ? made : id], *callee = &model->exprs.items[expr->a];
    const uint32_t *given = &model->links.items[expr->list.first];
    bool call = expr->kind == EXPR_CALL && expr->list.count;
    *pick = (Pick){.from = expr->a, .key = expr->kind == EXPR_SUBSCRIPT ? expr->b : 0};
    if (call && callee->kind == EXPR_NAME && expr->list.count > 1 &&
        python_is(PY_getattr, model_name(model, callee->name)))
        *pick = (Pick){.from = given[0], .key = given[1], .attribute = true};
    if (call && callee->kind == EXPR_ATTRIBUTE && python_is(PY_get, model_name(model, callee->name)))
        *pick = (Pick){.from = callee->a, .key = given[0]};
    pick->picked = made ? made : id;
    pick->attribute |=
        value_only(infer_fact(walk->context, model, pick->from), KIND_MODULE); /* globals()[kind] */
    return pick->key && model->exprs.items[pick->key].kind != EXPR_STRING && find_usual(walk, pick);
}

const Object *picked_from(const Walk *walk, const Pick *pick) {
    const Value *from = infer_fact(walk->context, walk->model, pick->from);
    bool dict = !pick->attribute && from && from->count == 1 && from->alts[0].kind == KIND_CONTAINER;
    return dict && from->alts[0].object ? infer_object(walk->inference, from->alts[0].object) : NULL;
}

bool holds_alt(const Value *value, const Alt *alt) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == alt->kind && value->alts[i].id == alt->id) return true;
    return false;
}

/* ---- by the keys of a dict ---- */

/* What the dict has under a key; NULL = that is not known. */
static const Value *item_of(const Walk *walk, const Object *from, Text key) {
    Sym name = names_find(&walk->inference->program->names, key);
    for (uint32_t i = 0; name && i < from->key_count; i++)
        if (object_keys(from)[i].key == name_key(name))
            return slot_value(walk->inference, object_keys(from)[i].slot);
    return NULL;
}

static Tri is_usual_item(const Walk *walk, const Pick *pick, const Alt *alt) {
    const Object *from = picked_from(walk, pick);
    Tri usual = from ? TRI_NO : TRI_UNKNOWN;
    for (uint32_t i = 0; i < pick->usual.count && usual == TRI_NO; i++) {
        const Value *item = item_of(walk, from, pick->usual.items[i]);
        usual = !item ? TRI_UNKNOWN : tri_of(holds_alt(item, alt));
    }
    return usual;
}

/* ---- by their own names ---- */

/* Of a class, also of an instance's, or of a function. */
static Text name_of(const Walk *walk, const Alt *alt) {
    const Program *program = walk->inference->program;
    bool class_ = alt->kind == KIND_CLASS || alt->kind == KIND_INSTANCE;
    if (!class_ && alt->kind != KIND_FUNCTION) return (Text){0};
    FileId id = class_ ? program_file_of_class(program, alt->id) : file_of_func(walk->inference, alt->id);
    const SourceFile *file = &program->files.items[id];
    NameId name = class_ ? file->model->classes.items[alt->id - file->class_base].name
                         : file->model->funcs.items[alt->id - file->func_base].name;
    return model_name(file->model, name);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

static bool parts_words(char c) { return c == '_' || c == '-'; }

static bool is_between_words(Text name, uint32_t at) {
    if (at == 0 || at == name.length || parts_words(name.bytes[at - 1]) || parts_words(name.bytes[at]))
        return true;
    return lower(name.bytes[at]) != name.bytes[at] && lower(name.bytes[at - 1]) == name.bytes[at - 1];
}

/* Where the word ends that begins at `at`, whatever its case and underscores; 0 = it is another word. */
static uint32_t end_of_word(Text name, uint32_t at, Text word) {
    for (uint32_t i = 0; i < word.length; i++) {
        if (parts_words(word.bytes[i])) continue;
        while (at < name.length && parts_words(name.bytes[at])) at++;
        if (at == name.length || lower(name.bytes[at++]) != lower(word.bytes[i])) return 0;
    }
    return at;
}

/* 2: "sim_clr" names SimCLR; 1: "token" names token_loss, and "hungarian" build_hungarian and HungarianAssigner. */
static int likeness(Text name, Text word) {
    int best = 0;
    for (uint32_t at = 0; at < name.length && word.length > 1 && best < 2; at++) {
        uint32_t end = is_between_words(name, at) ? end_of_word(name, at, word) : 0;
        if (!end || !is_between_words(name, end) || (at && end < name.length)) continue;
        best = !at && end == name.length ? 2 : 1;
    }
    return best;
}

/* The alternative that is named like the word, better than all others; NULL = none or several are. */
static const Alt *named_like(const Walk *walk, const Value *among, Text word) {
    const Alt *found = NULL;
    int best = 0;
    for (uint32_t i = 0; among && i < among->count; i++) {
        int like = likeness(name_of(walk, &among->alts[i]), word);
        if (like == best) found = NULL;
        if (like > best) best = like, found = &among->alts[i];
    }
    return best ? found : NULL;
}

static Tri is_named_usual(const Walk *walk, const Pick *pick, const Alt *alt) {
    const Value *among = infer_fact(walk->context, walk->model, pick->picked);
    Text own = name_of(walk, alt);
    Tri usual = own.length ? TRI_NO : TRI_UNKNOWN;
    for (uint32_t i = 0; i < pick->usual.count && usual == TRI_NO; i++) {
        const Alt *like = pick->attribute ? NULL : named_like(walk, among, pick->usual.items[i]);
        if (!pick->attribute && !like) return TRI_UNKNOWN;
        usual = tri_of(like ? like->kind == alt->kind && like->id == alt->id
                            : text_equal(own, pick->usual.items[i]));
    }
    return usual;
}

bool is_other_pick(const Walk *walk, const Pick *pick, const Alt *alt) {
    Tri usual = is_usual_item(walk, pick, alt);
    return (usual == TRI_UNKNOWN ? is_named_usual(walk, pick, alt) : usual) == TRI_NO;
}

Item guard_of_pick(const Walk *walk, const Pick *pick) {
    bool filtered = false;
    ExprId names = usual_iterated(walk, pick->key, &filtered);
    Span said = walk->model->exprs.items[names ? names : pick->key].span;
    Text asked = pick->usual.option;
    if (!asked.length) asked = text_slice(walk->file->bytes, said.start, said.end);
    return (Item){.kind = ITEM_GUARD,
                  .flags = GUARD_OFF,
                  .rate = GUARD_ANOTHER,
                  .only = asked.bytes,
                  .only_length = asked.length};
}

/* ---- what is called ---- */

/* From what is called, or made, or has a method called, to what picks it. */
typedef struct Search {
    Alt own;
    Item *guard;
    uint32_t *left; /* how many places may still be visited */
    int depth;
} Search;

static bool picks_another(const Walk *walk, ExprId id, bool element, Search search);

/* `draw_together if several else draw_alone` */
static bool chooses_another(const Walk *walk, const Expr *choice, Search search) {
    bool yes = holds_alt(infer_fact(walk->context, walk->model, choice->b), &search.own),
         no = holds_alt(infer_fact(walk->context, walk->model, choice->c), &search.own);
    Item asked = {0};
    if (yes != no) guard_condition(walk, choice->a, yes, &asked);
    bool off = (asked.flags & GUARD_OFF) || (asked.rate & GUARD_HANDED);
    if (!off || !asked.only_length) return false;
    *search.guard = (Item){.kind = ITEM_GUARD, .flags = asked.flags & GUARD_OFF};
    search.guard->rate = asked.rate & (GUARD_HANDED | GUARD_WITHOUT);
    search.guard->only = asked.only, search.guard->only_length = asked.only_length;
    return true;
}

/* In all contexts of the method that assigns it, whoever makes the object. */
static bool keeps_another(const Walk *walk, FileId file, const Write *write, bool element, Search search) {
    const Inference *inference = walk->inference;
    ContextId maker = inference->func_contexts[global_func(inference, file, write->func)];
    bool off = false;
    for (; maker; maker = inference->context_links.items[maker].next) {
        Walk there = walk_of(walk, maker);
        if (!context_is_live(there.context) || !there.graph || usual_is_assumed(&there)) continue;
        ExprId given = usual_given(there.model, &there.model->stmts.items[write->stmt], write->target);
        if (!given || !picks_another(&there, given, element, search)) return false;
        off = true;
    }
    return off;
}

/* `loss_of(args.loss)`, of a function that returns `LOSSES[name]`. */
static bool returns_another(const Walk *walk, ExprId call, Search search) {
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        if (walk->context->edges.items[e].expr != call) continue;
        Walk there = walk_of(walk, walk->context->edges.items[e].callee);
        const Stmt *last = there.graph ? model_last(there.model, there.func->body) : NULL;
        return last && last->kind == STMT_RETURN && last->a && picks_another(&there, last->a, false, search);
    }
    return false;
}

/* What a loop goes over, `[HOOKS[name] for name in names]`, and its elements. */
static bool goes_over_another(const Walk *walk, ExprId id, Search search) {
    static const PythonName VIEWS[] = {PY_items, PY_values};
    const Expr *expr = &walk->model->exprs.items[id], *callee = &walk->model->exprs.items[expr->a];
    switch ((ExprKind)expr->kind) {
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_GENERATOR: return picks_another(walk, expr->a, false, search);
    case EXPR_DICT_COMP: return picks_another(walk, expr->b, false, search);
    case EXPR_CALL:
        return callee->kind == EXPR_ATTRIBUTE && python_any(VIEWS, 2, model_name(walk->model, callee->name)) &&
               picks_another(walk, callee->a, true, search);
    default: return false;
    }
}

/* element: it is a container, and what it holds is asked for. */
static bool picks_another(const Walk *walk, ExprId id, bool element, Search search) {
    const Expr *expr = &walk->model->exprs.items[id];
    FileId file = 0;
    const Write *write = NULL;
    bool filtered = false;
    Pick pick;
    if (++search.depth > PICKS_DEEP || !*search.left) return false;
    --*search.left;
    ExprId made = assigned_once(walk, expr), over = made ? 0 : usual_iterated(walk, id, &filtered);
    if (made) return picks_another(walk, made, element, search);
    if (over) return picks_another(walk, over, true, search);
    if (expr->kind == EXPR_ATTRIBUTE) usual_binder(walk, expr, &file, &write);
    if (write) return keeps_another(walk, file, write, element, search);
    if (element) return goes_over_another(walk, id, search);
    if (expr->kind == EXPR_IF) return chooses_another(walk, expr, search);
    bool found = find_pick(walk, id, &pick);
    if (!found) return expr->kind == EXPR_CALL && returns_another(walk, id, search);
    if (is_other_pick(walk, &pick, &search.own)) *search.guard = guard_of_pick(walk, &pick);
    return search.guard->only_length;
}

bool is_picked_off(const Walk *walk, ExprId id, const Alt *own, Item *guard) {
    uint32_t left = PICKS_ASKED;
    *guard = (Item){0};
    return picks_another(walk, id, false, (Search){.own = *own, .guard = guard, .left = &left});
}
