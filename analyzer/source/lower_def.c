/* Definitions: functions, lambdas, classes and imports. Bodies are queued as jobs and lowered later. */
#include "lowering.h"

/* Skips class bodies: the enclosing function of a method is the one around its class. */
static FuncId enclosing(const Lowering *self) {
    const Func *func = &self->model.funcs.items[self->func];
    return func->kind == FUNC_CLASS_BODY ? func->parent : self->func;
}

static ClassId enclosing_class(const Lowering *self) {
    return self->model.funcs.items[self->func].kind == FUNC_CLASS_BODY ? self->jobs.items[self->func].class_id
                                                                       : 0;
}

static FuncId func_open(Lowering *self, Func func, uint32_t body) {
    func.parent = enclosing(self);
    Job job = {
        .body = body, .comps = self->comps, .depth = self->depth + 1, .type_checking = self->type_checking};
    vec_push(self->scratch, &self->model.funcs, func);
    vec_push(self->scratch, &self->jobs, job);
    return self->model.funcs.count - 1;
}

/* ---- parameters ---- */

typedef struct ParamState {
    uint8_t keyword_only;
    VEC(Param) params;
} ParamState;

static uint8_t star_of(NodeKind kind) {
    return kind == NODE_LIST_SPLAT_PATTERN ? 1 : kind == NODE_DICTIONARY_SPLAT_PATTERN ? 2 : 0;
}

/* Python evaluates the default before the annotation, so it is lowered first. */
static void add_param(Lowering *self, uint32_t node, ParamState *state) {
    Param param = {.keyword_only = state->keyword_only};
    NodeKind kind = lower_kind(self, node);
    bool wraps =
        kind == NODE_DEFAULT_PARAMETER || kind == NODE_TYPED_PARAMETER || kind == NODE_TYPED_DEFAULT_PARAMETER;
    uint32_t name = wraps ? lower_first(self, node) : node;
    if (!name) return;
    uint32_t annotation = 0, value = 0;
    for (uint32_t child = wraps ? lower_next(self, node, name) : 0; child;
         child = lower_next(self, node, child)) {
        if (lower_kind(self, child) == NODE_TYPE && kind != NODE_DEFAULT_PARAMETER && !annotation)
            annotation = child;
        else
            value = child;
    }
    param.star = star_of(lower_kind(self, name));
    uint32_t inner = param.star ? lower_first(self, name) : name;
    if (!inner) return;
    param.name = lower_name(self, lower_text(self, inner));
    param.fallback = lower_expr(self, value);
    param.annotation = lower_expr(self, annotation);
    if (param.star == 1) state->keyword_only = 1;
    if (param.star) param.keyword_only = 0;
    vec_push(self->scratch, &state->params, param);
}

/* Collects parameters in a state of their own, because a lambda in a default has parameters too. */
static void parameters(Lowering *self, uint32_t node, Func *func) {
    ParamState state = {0};
    for (uint32_t child = node ? lower_first(self, node) : 0; child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_KEYWORD_SEPARATOR) {
            state.keyword_only = 1;
        } else if (kind == NODE_POSITIONAL_SEPARATOR) {
            for (uint32_t i = 0; i < state.params.count; i++) state.params.items[i].positional_only = 1;
        } else {
            add_param(self, child, &state);
        }
    }
    func->first_param = self->model.params.count;
    func->param_count = state.params.count;
    for (uint32_t i = 0; i < state.params.count; i++)
        vec_push(self->scratch, &self->model.params, state.params.items[i]);
}

ExprId lower_lambda(Lowering *self, uint32_t node) {
    Func func = {.kind = FUNC_LAMBDA, .span = lower_span(self, node), .class_id = enclosing_class(self)};
    uint32_t first = lower_first(self, node), body = lower_last(self, node);
    bool has_parameters = first && lower_kind(self, first) == NODE_LAMBDA_PARAMETERS;
    if (has_parameters && first == body) body = 0;
    parameters(self, has_parameters ? first : 0, &func);
    FuncId id = func_open(self, func, body);
    return lower_push(self, (Expr){.kind = EXPR_LAMBDA, .span = func.span, .func = id});
}

/* ---- functions and classes ---- */

typedef struct Parts {
    uint32_t name, parameters, type, arguments, block;
} Parts;

static Parts parts_of(const Lowering *self, uint32_t node) {
    Parts parts = {0};
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        switch (lower_kind(self, child)) {
        case NODE_IDENTIFIER: parts.name = parts.name ? parts.name : child; break;
        case NODE_PARAMETERS: parts.parameters = child; break;
        case NODE_TYPE: parts.type = child; break;
        case NODE_ARGUMENT_LIST: parts.arguments = child; break;
        case NODE_BLOCK: parts.block = child; break;
        default: break;
        }
    }
    return parts;
}

static Span head_of(const Lowering *self, uint32_t node, const Parts *parts) {
    uint32_t last = parts->type ? parts->type : parts->parameters ? parts->parameters : parts->arguments;
    if (!last) last = parts->name;
    uint32_t end = last ? self->nodes[last].end : self->nodes[node].start;
    return lower_head(self, self->nodes[node].start, end, parts->block);
}

static Stmt function(Lowering *self, uint32_t node, List decorators) {
    Parts parts = parts_of(self, node);
    Func func = {.kind = FUNC_DEF, .span = lower_span(self, node), .class_id = enclosing_class(self)};
    func.decorators = decorators;
    func.is_async = text_starts(lower_text(self, node), TEXT("async"));
    func.stmt = self->model.stmts.count - 1;
    func.name = parts.name ? lower_name(self, lower_text(self, parts.name)) : 0;
    parameters(self, parts.parameters, &func);
    func.returns = lower_expr(self, parts.type);
    FuncId id = func_open(self, func, parts.block);
    if (func.class_id) vec_push(self->scratch, &self->methods, id);
    return (Stmt){.kind = STMT_FUNCTION,
                  .head = head_of(self, node, &parts),
                  .func = id,
                  .b = lower_target(self, parts.name)};
}

static Stmt class(Lowering *self, uint32_t node, List decorators) {
    Parts parts = parts_of(self, node);
    Class class = {.span = lower_span(self, node), .outer = enclosing_class(self), .parent = enclosing(self)};
    class.decorators = decorators;
    class.name = parts.name ? lower_name(self, lower_text(self, parts.name)) : 0;
    if (parts.arguments) class.bases = lower_children(self, parts.arguments, 0, false);
    vec_push(self->scratch, &self->model.classes, class);
    ClassId id = self->model.classes.count - 1;
    Func body = {.kind = FUNC_CLASS_BODY,
                 .span = class.span,
                 .name = class.name,
                 .class_id = id,
                 .stmt = self->model.stmts.count - 1};
    FuncId func = func_open(self, body, parts.block);
    self->jobs.items[func].class_id = id;
    self->model.classes.items[id].body = func;
    return (Stmt){.kind = STMT_CLASS,
                  .head = head_of(self, node, &parts),
                  .class_id = id,
                  .b = lower_target(self, parts.name)};
}

static List decorators_of(Lowering *self, uint32_t node, uint32_t *definition) {
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_FUNCTION_DEFINITION || kind == NODE_CLASS_DEFINITION) {
            *definition = child;
        } else if (kind == NODE_DECORATOR) {
            ExprId expr = lower_expr(self, lower_first(self, child));
            if (expr) lower_list_add(self, expr);
        }
    }
    return lower_list_close(self, mark);
}

StmtId lower_definition(Lowering *self, uint32_t node) {
    StmtId id = lower_stmt_open(self);
    List decorators = {0};
    uint32_t definition = node;
    if (lower_kind(self, node) == NODE_DECORATED_DEFINITION) {
        definition = 0;
        decorators = decorators_of(self, node, &definition);
    }
    Stmt stmt = {.kind = STMT_ERROR, .head = lower_span(self, node)};
    if (definition)
        stmt = lower_kind(self, definition) == NODE_CLASS_DEFINITION ? class(self, definition, decorators)
                                                                     : function(self, definition, decorators);
    stmt.span = lower_span(self, node);
    lower_stmt_close(self, id, stmt);
    return id;
}

/* ---- imports ---- */

/* The text of a dotted name, without blanks around its dots. */
static Text dotted(Lowering *self, uint32_t node) {
    Text text = lower_text(self, node);
    char *bytes = NULL;
    uint32_t length = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        bool blank = text.bytes[i] <= ' ' || text.bytes[i] == '\\';
        if (blank && !bytes) {
            bytes = arena_copy(self->scratch, text.bytes, text.length);
            length = i;
        } else if (!blank && bytes) {
            bytes[length++] = text.bytes[i];
        }
    }
    return bytes ? (Text){bytes, length} : text;
}

static ExprId bound_identifier(Lowering *self, uint32_t node) {
    return node ? lower_bound_name(self, lower_span(self, node), lower_text(self, node)) : 0;
}

/* `import a.b` binds a, `import a.b as c` binds c, `from m import a` binds a. */
static void add_import(Lowering *self, uint32_t node, Import import, bool is_from) {
    uint32_t name = node, alias = 0;
    import.span = lower_span(self, node);
    if (lower_kind(self, node) == NODE_WILDCARD_IMPORT) {
        import.name = lower_name(self, TEXT("*"));
        name = 0;
    } else if (lower_kind(self, node) == NODE_ALIASED_IMPORT) {
        name = lower_first(self, node);
        alias = lower_last(self, node);
        if (alias == name) alias = 0;
        if (alias) import.alias = lower_name(self, lower_text(self, alias));
    }
    if (name && is_from)
        import.name = lower_name(self, dotted(self, name));
    else if (name)
        import.module = lower_name(self, dotted(self, name));
    if (name) import.target = bound_identifier(self, alias ? alias : lower_first(self, name));
    vec_push(self->scratch, &self->model.imports, import);
    lower_list_add(self, self->model.imports.count - 1);
}

/* Reads the dots and the module of `from ..a.b import`. */
static void read_source(Lowering *self, uint32_t node, Import *import) {
    if (lower_kind(self, node) == NODE_DOTTED_NAME) {
        import->module = lower_name(self, dotted(self, node));
        return;
    }
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        if (lower_kind(self, child) == NODE_DOTTED_NAME) {
            import->module = lower_name(self, dotted(self, child));
            continue;
        }
        Text prefix = lower_text(self, child);
        for (uint32_t i = 0; i < prefix.length; i++)
            if (prefix.bytes[i] == '.' && import->dots < UINT8_MAX) import->dots++;
    }
}

StmtId lower_import(Lowering *self, uint32_t node) {
    Import import = {.type_checking = self->type_checking};
    StmtId id = lower_stmt_open(self);
    uint32_t child = lower_first(self, node), mark = lower_list_open(self);
    bool is_from = lower_kind(self, node) != NODE_IMPORT_STATEMENT;
    if (lower_kind(self, node) == NODE_FUTURE_IMPORT_STATEMENT) {
        import.module = lower_name(self, TEXT("__future__"));
    } else if (is_from && child) {
        read_source(self, child, &import);
        child = lower_next(self, node, child);
    }
    for (; child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_DOTTED_NAME || kind == NODE_ALIASED_IMPORT || kind == NODE_WILDCARD_IMPORT)
            add_import(self, child, import, is_from);
    }
    Span span = lower_span(self, node);
    lower_stmt_close(
        self, id,
        (Stmt){.kind = STMT_IMPORT, .span = span, .head = span, .list = lower_list_close(self, mark)});
    return id;
}
