#include "rulepage.h"
#include "lower.h"
#include "rulepage_head.h"
#include "rulepage_remedy.h"
#include "rulepage_row.h"
#include "rulepage_term.h"
#include <stdlib.h>

/* A block of Python on a page: a fence of a hazard page, or a whole stub file. */
typedef struct Block {
    const FileModel *model;
    Text bytes;
    DraftPlace above; /* the page, and how many of its lines precede the block */
    HazardId hazard;
    Text advice; /* text of the part's own `## Instead`; empty = the rule's applies */
} Block;

/* A declaration whose contents can be read only when all names are known. */
typedef struct Pending {
    EntryId entry;
    uint32_t block;
    FuncId func;      /* a def */
    ClassId class_id; /* a class with bases */
    ExprId value;     /* name: TERM */
    Span span;
} Pending;

typedef struct Reader {
    Draft draft;
    VEC(Block) blocks;
    VEC(Pending) pending;
    VEC(uint32_t) remedies; /* blocks that hold remedies */
    uint32_t block;         /* the block being declared */
    SyntaxParser *parser;
    Arena scratch;
} Reader;

static void declare_body(Reader *reader, EntryId scope, List body);

static const Block *current(const Reader *reader) { return &reader->blocks.items[reader->block]; }

static DraftPlace place_in(const Block *block, Span span) {
    return (DraftPlace){block->above.page, block->above.line + model_line(block->model, span.start)};
}

static TermScope scope_of(Reader *reader, const Pending *pending) {
    const Block *block = &reader->blocks.items[pending->block];
    return (TermScope){
        .draft = &reader->draft,
        .model = block->model,
        .page = block->above.page,
        .line_before = block->above.line,
        .scope = reader->draft.entries.items[pending->entry].entry.parent,
    };
}

/* ---- declaring: names and kinds ---- */
static const char *kind_noun(uint8_t kind) {
    static const char *const nouns[] = {"nothing",    "a module",     "a class",
                                        "a function", "an attribute", "an alias"};
    return nouns[kind];
}

/* Functions may be declared again as overloads, and classes reopened; anything else only once. */
static EntryId declare(Reader *reader, EntryId scope, Text name, EntryKind kind, Span span) {
    Draft *draft = &reader->draft;
    DraftPlace place = place_in(current(reader), span);
    EntryId id = draft_child(draft, scope, name, place);
    DraftEntry *entry = &draft->entries.items[id];
    bool again = kind == ENTRY_FUNCTION || kind == ENTRY_CLASS;
    if (entry->entry.kind != ENTRY_NO && (entry->entry.kind != kind || !again)) {
        Text page = draft_name(draft, draft->pages.items[entry->place.page]);
        draft_fail(draft, place, "'%.*s' is %s already, at %.*s:%u", SHOWN(name), kind_noun(entry->entry.kind),
                   SHOWN(page), entry->place.line);
        return 0;
    }
    if (entry->entry.kind == ENTRY_NO) entry->place = place;
    entry->entry.kind = (uint8_t)kind;
    return id;
}

static void declare_function(Reader *reader, EntryId scope, const Stmt *stmt) {
    const FileModel *model = current(reader)->model;
    const Func *func = &model->funcs.items[stmt->func];
    Text name = model_name(model, func->name);
    EntryId entry = text_equal(name, TEXT("__default__"))
                        ? draft_fallback(&reader->draft, scope, place_in(current(reader), stmt->span))
                        : declare(reader, scope, name, ENTRY_FUNCTION, func->span);
    Pending pending = {.entry = entry, .block = reader->block, .func = stmt->func, .span = func->span};
    if (entry) vec_push(reader->draft.arena, &reader->pending, pending);
}

static void declare_class(Reader *reader, EntryId scope, const Stmt *stmt) {
    const FileModel *model = current(reader)->model;
    const Class *class = &model->classes.items[stmt->class_id];
    EntryId entry = declare(reader, scope, model_name(model, class->name), ENTRY_CLASS, class->span);
    if (!entry) return;
    Pending pending = {.entry = entry, .block = reader->block, .class_id = stmt->class_id, .span = class->span};
    vec_push(reader->draft.arena, &reader->pending, pending);
    declare_body(reader, entry, model->funcs.items[class->body].body);
}

/* `name: TERM` or `name = other.dotted.name`. */
static void declare_name(Reader *reader, EntryId scope, const Stmt *stmt) {
    Draft *draft = &reader->draft;
    const FileModel *model = current(reader)->model;
    const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
    Text other = stmt->b ? term_dotted(draft->arena, model, stmt->b) : (Text){0};
    if (stmt->list.count != 1 || target->kind != EXPR_NAME || !stmt->a == !stmt->b ||
        (stmt->b && !other.length)) {
        draft_fail(draft, place_in(current(reader), stmt->span),
                   "an attribute is written 'name: TERM', an alias 'name = other.dotted.name'");
        return;
    }
    Text name = model_name(model, target->name);
    EntryId entry = declare(reader, scope, name, stmt->b ? ENTRY_ALIAS : ENTRY_VALUE, stmt->span);
    Pending pending = {.entry = entry, .block = reader->block, .value = stmt->a, .span = stmt->span};
    if (entry && stmt->b)
        draft->entries.items[entry].alias_of = other;
    else if (entry)
        vec_push(draft->arena, &reader->pending, pending);
}

static bool says_nothing(const FileModel *model, const Stmt *stmt) {
    uint8_t kind = stmt->kind == STMT_EXPR ? model->exprs.items[stmt->a].kind : (uint8_t)EXPR_NONE_ID;
    return stmt->kind == STMT_PASS || kind == EXPR_STRING || kind == EXPR_ELLIPSIS;
}

static void declare_statement(Reader *reader, EntryId scope, const Stmt *stmt) {
    const FileModel *model = current(reader)->model;
    if (stmt->kind == STMT_FUNCTION)
        declare_function(reader, scope, stmt);
    else if (stmt->kind == STMT_CLASS)
        declare_class(reader, scope, stmt);
    else if (stmt->kind == STMT_ASSIGN)
        declare_name(reader, scope, stmt);
    else if (!says_nothing(model, stmt))
        draft_fail(&reader->draft, place_in(current(reader), stmt->span), "%s",
                   stmt->kind == STMT_ERROR
                       ? "cannot be read as Python"
                       : "only def, class, 'name: TERM' and 'name = other.name' may stand here");
}

static void declare_body(Reader *reader, EntryId scope, List body) {
    for (uint32_t i = 0; i < body.count; i++) {
        const FileModel *model = current(reader)->model;
        declare_statement(reader, scope, &model->stmts.items[model->links.items[body.first + i]]);
    }
}

/* ---- blocks ---- */
static bool is_dotted(Text name) {
    bool fine = name.length > 0;
    for (uint32_t i = 0; fine && i < name.length; i++) {
        char c = name.bytes[i];
        fine =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    }
    return fine && name.bytes[0] != '.' && name.bytes[name.length - 1] != '.';
}

/* Reports syntax errors. An error inside a def leaves no statement for declare_body to check. */
static void check_syntax(Reader *reader, const Block *block) {
    const FileModel *model = block->model;
    for (ExprId i = 1; model->error_count && i < model->exprs.count; i++)
        if (model->exprs.items[i].kind == EXPR_ERROR) {
            draft_fail(&reader->draft, place_in(block, model->exprs.items[i].span), "cannot be read as Python");
            return;
        }
}

static void add_block(Reader *reader, Text bytes, DraftPlace above, HazardId hazard) {
    Block block = {.bytes = bytes, .above = above, .hazard = hazard};
    FileModel *model = arena_new(reader->draft.arena, FileModel, 1);
    lower_file(reader->draft.arena, &reader->scratch, reader->parser, bytes, model);
    arena_reset(&reader->scratch);
    block.model = model;
    vec_push(reader->draft.arena, &reader->blocks, block);
    reader->block = reader->blocks.count - 1;
    check_syntax(reader, &block);
}

/* The module of a comment `# module torch.nn.functional` alone on its line. */
static Text module_comment(const Block *block, Span span) {
    Text text = text_slice(block->bytes, span.start, span.end), mark = TEXT("# module ");
    bool alone = span.start == 0 || block->bytes.bytes[span.start - 1] == '\n';
    if (!alone || !text_starts(text, mark)) return (Text){0};
    Text name = text_slice(text, mark.length, text.length);
    while (name.length && (unsigned char)name.bytes[name.length - 1] <= ' ') name.length--;
    return is_dotted(name) ? name : (Text){0};
}

/* A comment `# conventions` alone on its line: rows follow. */
static bool begins_rows(const Block *block, Span span) {
    return text_equal(text_slice(block->bytes, span.start, span.end), TEXT("# conventions"));
}

static void declare_stub(Reader *reader) {
    const Block *block = current(reader);
    const FileModel *model = block->model;
    List body = model->funcs.items[1].body;
    EntryId scope = 0;
    bool rows = false;
    uint32_t comment = 1;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        for (; comment < model->comments.count && model->comments.items[comment].span.start < stmt->span.start;
             comment++) {
            Span span = model->comments.items[comment].span;
            Text name = module_comment(block, span);
            rows = begins_rows(block, span) || (rows && !name.length);
            if (!name.length) continue;
            scope = draft_path(&reader->draft, name, place_in(block, span));
            reader->draft.entries.items[scope].stubbed = scope != DRAFT_ROOT;
        }
        if (rows && !says_nothing(model, stmt)) {
            row_read(&reader->draft, place_in(block, stmt->span), model, stmt);
        } else if (scope) {
            declare_statement(reader, scope, stmt);
        } else if (!says_nothing(model, stmt)) {
            draft_fail(&reader->draft, place_in(block, stmt->span),
                       "no line '# module NAME' stands above this");
            return;
        }
    }
}

static void declare_fence(Reader *reader, const PageFence *fence, uint32_t page, HazardId hazard, Text advice) {
    DraftPlace place = {page, fence->line - 1};
    Text mark = TEXT("python ");
    Text name =
        text_starts(fence->info, mark) ? text_slice(fence->info, mark.length, fence->info.length) : (Text){0};
    if (!is_dotted(name)) {
        draft_fail(&reader->draft, place, "facts stand in a fence '```python MODULE.OR.CLASS'");
        return;
    }
    EntryId scope = draft_path(&reader->draft, name, place);
    add_block(reader, fence->body, place, hazard);
    reader->blocks.items[reader->block].advice = advice;
    declare_body(reader, scope, current(reader)->model->funcs.items[1].body);
}

/* Read later: its conditions may refer to classes of any page. */
static void declare_remedies(Reader *reader, const PageFence *fence, uint32_t page, HazardId hazard) {
    add_block(reader, fence->body, (DraftPlace){page, fence->line - 1}, hazard);
    vec_push(reader->draft.arena, &reader->remedies, reader->block);
}

static void read_remedies(Reader *reader) {
    for (uint32_t i = 0; i < reader->remedies.count; i++) {
        const Block *block = &reader->blocks.items[reader->remedies.items[i]];
        TermScope scope = {.draft = &reader->draft,
                           .model = block->model,
                           .page = block->above.page,
                           .line_before = block->above.line,
                           .scope = DRAFT_ROOT,
                           .remedy = true};
        remedies_read(&scope, block->bytes, block->hazard);
    }
}

/* ---- hazard pages ---- */
static bool is_code(Text code) {
    uint32_t at = 0;
    while (at < code.length && code.bytes[at] >= 'A' && code.bytes[at] <= 'Z') at++;
    uint32_t letters = at;
    while (at < code.length && code.bytes[at] >= '0' && code.bytes[at] <= '9') at++;
    return letters && at > letters && at == code.length;
}

static Text file_stem(Text path) {
    uint32_t start = path.length, end = path.length;
    while (start > 0 && path.bytes[start - 1] != '/') start--;
    for (uint32_t i = path.length; i > start; i--)
        if (path.bytes[i - 1] == '.') {
            end = i - 1;
            break;
        }
    return text_slice(path, start, end);
}

static HazardId hazard_named(const Draft *draft, Text name) {
    for (HazardId i = 1; i < draft->hazards.count; i++)
        if (text_equal(draft_name(draft, draft->hazards.items[i].name), name)) return i;
    return 0;
}

static void check_title(Reader *reader, const Page *page, Text path, uint32_t number) {
    Draft *draft = &reader->draft;
    DraftPlace place = {number, 1};
    TextId name = draft_text(draft, page->name), code = draft_text(draft, page->code);
    if (!text_equal(page->name, file_stem(path)) || !is_code(page->code))
        draft_fail(draft, place, "the title must be '# %.*s (CODE)', the code like SYN101",
                   (int)file_stem(path).length, file_stem(path).bytes);
    for (HazardId i = 1; i < draft->hazards.count; i++)
        if (draft->hazards.items[i].code == code || draft->hazards.items[i].name == name) {
            Text other = draft_name(draft, draft->hazards.items[i].name);
            draft_fail(draft, place, "name or code stands on another page already: %.*s", SHOWN(other));
        }
}

/* Checks a further page of a rule: facts, examples, and an Instead of its own where the rule's does not fit. */
static void check_part(Reader *reader, const Page *page, Text path, uint32_t number) {
    Draft *draft = &reader->draft;
    Text stem = file_stem(path),
         wanted = text_format(draft->arena, "%.*s.%.*s", SHOWN(page->name), SHOWN(page->part));
    if (!text_equal(stem, wanted) || page->code.length || head_says(page))
        draft_fail(draft, (DraftPlace){number, 1},
                   "a part's title is '# RULE: PART' in a file RULE.PART.md, without code, Kind or Finds");
    if (!hazard_named(draft, page->name))
        draft_fail(draft, (DraftPlace){number, 1}, "no page of a rule '%.*s'", SHOWN(page->name));
}

static void check_page(Reader *reader, const Page *page, Text path, uint32_t number) {
    if (page->part.length)
        check_part(reader, page, path, number);
    else
        check_title(reader, page, path, number);
    if (!page->part.length && !page->message.length)
        draft_fail(&reader->draft, (DraftPlace){number, 1},
                   "the message is missing: a paragraph below the title");
    for (int i = page->part.length ? SECTION_FACTS : SECTION_WHY; i < SECTION_REMEDIES; i++)
        if (!page->sections[i].bytes)
            draft_fail(&reader->draft, (DraftPlace){number, 1}, "section '## %s' is missing",
                       page_section_name((PageSection)i));
    for (uint32_t i = 0; i < page->fences.count; i++)
        if (!page->fences.items[i].closed)
            draft_fail(&reader->draft, (DraftPlace){number, page->fences.items[i].line - 1},
                       "this fence is never closed");
}

static HazardId add_hazard(Draft *draft, const Page *parts, Text bytes, uint32_t number) {
    Page page = *parts;
    Hazard hazard = {
        .name = draft_text(draft, page.name),
        .code = draft_text(draft, page.code),
        .message = draft_text(draft, page.message),
        .why = draft_text(draft, page.sections[SECTION_WHY]),
        .instead = draft_text(draft, page.sections[SECTION_INSTEAD]),
        .page = draft_text(draft, bytes),
    };
    head_read(draft, (DraftPlace){number, 1}, parts, &hazard);
    vec_push(draft->arena, &draft->hazards, hazard);
    return draft->hazards.count - 1;
}

/* Joins a part to its rule's page, so that --explain prints the parts after it. */
static HazardId join_hazard(Draft *draft, const Page *page, Text bytes) {
    HazardId id = hazard_named(draft, page->name);
    Hazard *hazard = &draft->hazards.items[id];
    Text all = draft_name(draft, hazard->page);
    if (id) hazard->page = draft_text(draft, text_format(draft->arena, "%.*s\n%.*s", SHOWN(all), SHOWN(bytes)));
    return id;
}

static void declare_page(Reader *reader, const PageSource *source, uint32_t number) {
    Draft *draft = &reader->draft;
    Page page = page_split(draft->arena, source->bytes);
    check_page(reader, &page, source->path, number);
    Text advice =
        page.part.length ? page_first_paragraph(draft->arena, page.sections[SECTION_INSTEAD]) : (Text){0};
    HazardId hazard = page.part.length ? join_hazard(draft, &page, source->bytes)
                                       : add_hazard(draft, &page, source->bytes, number);
    for (uint32_t i = 0; i < page.fences.count; i++)
        if (page.fences.items[i].section == SECTION_FACTS)
            declare_fence(reader, &page.fences.items[i], number, hazard, advice);
        else if (page_is_remedy(&page.fences.items[i]))
            declare_remedies(reader, &page.fences.items[i], number, hazard);
}

/* ---- reading the contents of declarations ---- */
static void read_param(TermScope *scope, const Param *param, RuleParam *made) {
    *made = (RuleParam){
        .name = draft_text(scope->draft, model_name(scope->model, param->name)),
        .star = param->star,
        .keyword_only = param->keyword_only,
        .has_default = param->fallback != 0,
    };
    if (param->annotation) made->condition = term_condition(scope, param->annotation);
    if (!param->fallback) return;
    /* Of any other default (..., (), torch.float32) it is only known that there is one. */
    made->fallback = term_literal(scope, param->fallback);
}

static void read_params(TermScope *scope, const Func *func, Clause *clause) {
    Draft *draft = scope->draft;
    clause->first_param = draft->params.count;
    clause->param_count = func->param_count;
    RuleParam *made = arena_new(draft->arena, RuleParam, func->param_count + 1);
    for (uint32_t i = 0; i < func->param_count; i++)
        read_param(scope, &scope->model->params.items[func->first_param + i], &made[i]);
    for (uint32_t i = 0; i < func->param_count; i++) vec_push(draft->arena, &draft->params, made[i]);
    scope->params = made;
    scope->param_count = func->param_count;
}

static bool has_advice(const Draft *draft, const Clause *clause) {
    for (uint32_t i = 0; i < clause->effect_count; i++)
        if (draft->effects.items[clause->first_effect + i].word == EFF_instead) return true;
    return false;
}

static void read_clause(Reader *reader, const Pending *pending) {
    Draft *draft = &reader->draft;
    TermScope scope = scope_of(reader, pending);
    const Func *func = &scope.model->funcs.items[pending->func];
    DraftPlace place = term_place(&scope, pending->span);
    Clause clause = {
        .hazard = reader->blocks.items[pending->block].hazard, .page = place.page, .line = place.line};
    read_params(&scope, func, &clause);
    if (func->returns) clause.returns = term_return(&scope, func->returns);
    clause.first_effect = draft->effects.count;
    for (uint32_t i = 0; i < func->decorators.count; i++)
        term_decorator(&scope, scope.model->links.items[func->decorators.first + i], &clause);
    if (reader->blocks.items[pending->block].advice.length && !has_advice(draft, &clause))
        term_advice(&scope, reader->blocks.items[pending->block].advice, &clause);
    vec_push(draft->arena, &draft->clauses, clause);
    vec_push(draft->arena, &draft->entries.items[pending->entry].clauses, draft->clauses.count - 1);
}

static void add_base(Reader *reader, const Pending *pending, TermScope *scope, ExprId expr) {
    Draft *draft = &reader->draft;
    Text name = term_dotted(draft->arena, scope->model, expr);
    EntryId base = name.length ? draft_find(draft, scope->scope, name) : 0;
    if (base && draft->entries.items[base].entry.kind == ENTRY_CLASS)
        vec_push(draft->arena, &draft->entries.items[pending->entry].bases, base);
    else
        draft_fail(draft, term_place(scope, pending->span), "unknown base class '%.*s'", (int)name.length,
                   name.length ? name.bytes : "");
}

/* Of the declarations of a class that is reopened, only one may name bases. */
static void read_bases(Reader *reader, const Pending *pending) {
    TermScope scope = scope_of(reader, pending);
    List bases = scope.model->classes.items[pending->class_id].bases;
    DraftEntry *entry = &reader->draft.entries.items[pending->entry];
    if (bases.count && entry->bases.count) {
        draft_fail(&reader->draft, term_place(&scope, pending->span),
                   "the bases of this class are said elsewhere already");
        return;
    }
    for (uint32_t i = 0; i < bases.count; i++)
        add_base(reader, pending, &scope, scope.model->links.items[bases.first + i]);
}

/* For an attribute of a class, parameter 0 is the receiver. */
static void read_value(Reader *reader, const Pending *pending) {
    TermScope scope = scope_of(reader, pending);
    RuleParam self = {.name = draft_text(&reader->draft, TEXT("self"))};
    if (reader->draft.entries.items[scope.scope].entry.kind == ENTRY_CLASS) {
        scope.params = &self;
        scope.param_count = 1;
    }
    TermId value = term_return(&scope, pending->value);
    reader->draft.entries.items[pending->entry].entry.value = value;
}

/* ---- checks that need all pages ---- */
static bool reaches(const Draft *draft, EntryId from, EntryId target, uint32_t depth) {
    const DraftEntry *entry = &draft->entries.items[from];
    for (uint32_t i = 0; depth < 64 && i < entry->bases.count; i++)
        if (entry->bases.items[i] == target || reaches(draft, entry->bases.items[i], target, depth + 1))
            return true;
    return false;
}

static void check_entry(Draft *draft, EntryId id) {
    const DraftEntry *entry = &draft->entries.items[id];
    Text name = draft_name(draft, entry->entry.qualified);
    if (reaches(draft, id, id, 0))
        draft_fail(draft, entry->place, "class '%.*s' is a base of itself", SHOWN(name));
    if (entry->entry.kind == ENTRY_ALIAS && entry->children.count)
        draft_fail(draft, entry->place, "'%.*s' is an alias: its facts belong where it points to", SHOWN(name));
}

/* A def with `self` makes its scope a class where a stub file opened that by `# module torch.Tensor`; on a
   hazard page alone it is a mistake. */
static void settle_parent(Reader *reader, const Pending *pending) {
    Draft *draft = &reader->draft;
    TermScope scope = scope_of(reader, pending);
    const Func *func = &scope.model->funcs.items[pending->func];
    DraftEntry *parent = &draft->entries.items[draft->entries.items[pending->entry].entry.parent];
    if ((parent->entry.kind != ENTRY_NO && parent->entry.kind != ENTRY_MODULE) || !func->param_count) return;
    if (!text_equal(model_name(scope.model, scope.model->params.items[func->first_param].name), TEXT("self")))
        return;
    if (!parent->stubbed) {
        Text class = draft_name(draft, parent->entry.qualified);
        draft_fail(draft, term_place(&scope, pending->span),
                   "'%.*s' is not a class of any page, yet this takes self", (int)class.length,
                   class.length ? class.bytes : "");
    }
    parent->entry.kind = ENTRY_CLASS;
}

/* Reads bases before terms, because a term may look any name up. */
static void read_pending(Reader *reader) {
    for (uint32_t i = 0; i < reader->pending.count; i++)
        if (reader->pending.items[i].func) settle_parent(reader, &reader->pending.items[i]);
    draft_resolve_aliases(&reader->draft);
    for (uint32_t i = 0; i < reader->pending.count; i++)
        if (reader->pending.items[i].class_id) read_bases(reader, &reader->pending.items[i]);
    for (uint32_t i = 0; i < reader->pending.count; i++) {
        const Pending *pending = &reader->pending.items[i];
        if (pending->func)
            read_clause(reader, pending);
        else if (pending->value)
            read_value(reader, pending);
    }
    read_remedies(reader);
    for (EntryId i = 1; i < reader->draft.entries.count; i++) check_entry(&reader->draft, i);
}

/* ---- the pages ---- */
static bool is_stub(const PageSource *source) { return text_ends(source->path, TEXT(".pyi")); }

/* RULE.PART.md, which is read after its rule's page. */
static bool is_part(const PageSource *source) {
    Text stem = file_stem(source->path);
    return stem.length && memchr(stem.bytes, '.', stem.length) != NULL;
}

static int rank(const PageSource *source) { return is_stub(source) ? 2 : is_part(source); }

static int compare_sources(const void *left, const void *right) {
    const PageSource *a = left, *b = right;
    return rank(a) != rank(b) ? rank(a) - rank(b) : text_compare(a->path, b->path);
}

static void declare_source(Reader *reader, const PageSource *source) {
    Draft *draft = &reader->draft;
    TextId path = draft_text(draft, source->path);
    vec_push(draft->arena, &draft->pages, path);
    uint32_t number = draft->pages.count - 1;
    if (!is_stub(source)) {
        declare_page(reader, source, number);
        return;
    }
    add_block(reader, source->bytes, (DraftPlace){number, 0}, 0);
    declare_stub(reader);
}

const Rulebook *rulepage_read(Arena *result, const Rulebook *base, const PageSource *sources, size_t count,
                              Text *error) {
    Reader reader = {.parser = syntax_open()};
    draft_begin(&reader.draft, result, base);
    PageSource *sorted = arena_copy(result, sources, sizeof *sources * count);
    qsort(sorted, count, sizeof *sorted, compare_sources);
    for (size_t i = 0; i < count; i++) declare_source(&reader, &sorted[i]);
    syntax_close(reader.parser);
    arena_free(&reader.scratch);
    read_pending(&reader);
    return draft_finish(&reader.draft, error);
}

PageExamples rulepage_examples(Arena *arena, const PageSource *sources, size_t count) {
    PageExamples examples = {0};
    for (size_t i = 0; i < count; i++) {
        Page page = is_stub(&sources[i]) ? (Page){0} : page_split(arena, sources[i].bytes);
        for (uint32_t j = 0; j < page.fences.count; j++) {
            const PageFence *fence = &page.fences.items[j];
            bool test = fence->section == SECTION_REPORTED || fence->section == SECTION_QUIET ||
                        fence->section == SECTION_INSTEAD;
            PageExample example = {.page = sources[i].path,
                                   .rule = page.name,
                                   .text = fence->body,
                                   .line = fence->line,
                                   .section = fence->section};
            if (test && text_starts(fence->info, TEXT("python"))) vec_push(arena, &examples.items, example);
        }
    }
    return examples;
}
