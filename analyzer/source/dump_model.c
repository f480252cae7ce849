#include "dump_model.h"

typedef struct Dump {
    FILE *out;
    const FileModel *model;
    const char *bytes;
    FuncId func; /* the function being printed: names of its locals */
} Dump;

static const char *const operators[] = {
#define OPERATOR(name, sign, method) sign,
#define SIGN(node, name)
#include "operators.def"
};

/* Names and bytes of the analysed files are escaped: they could drive a terminal. */
static void put_bytes(FILE *out, Text text) {
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        if (c < ' ' || c == 127)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
}

static void put_text(const Dump *self, Text text) {
    uint32_t shown = text.length < 60 ? text.length : 60;
    put_bytes(self->out, text_slice(text, 0, shown));
    if (shown < text.length) fputs("...", self->out);
}

static void put_name(const Dump *self, NameId name) { put_text(self, model_name(self->model, name)); }

static void put_position(const Dump *self, Span span) {
    Position start = model_position(self->model, self->bytes, span.start);
    Position end = model_position(self->model, self->bytes, span.end);
    fprintf(self->out, "%u:%u-%u:%u", start.line, start.column, end.line, end.column);
}

static void put_expr(const Dump *self, ExprId id);

static void put_list(const Dump *self, List list, const char *between) {
    for (uint32_t i = 0; i < list.count; i++) {
        if (i) fputs(between, self->out);
        put_expr(self, self->model->links.items[list.first + i]);
    }
}

static void put_variable(const Dump *self, const Expr *expr) {
    put_name(self, expr->name);
    switch ((Binding)expr->binding) {
    case BIND_LOCAL: fprintf(self->out, "$%u", expr->slot); break;
    case BIND_FREE: fprintf(self->out, "^%u$%u", expr->func, expr->slot); break;
    case BIND_GLOBAL: expr->slot ? fprintf(self->out, "!%u", expr->slot) : fputs("!", self->out); break;
    case BIND_NO: fputs("$?", self->out); break;
    }
}

static void put_two(const Dump *self, ExprId a, const char *between, ExprId b) {
    put_expr(self, a);
    fputs(between, self->out);
    put_expr(self, b);
}

static void put_bracketed(const Dump *self, const char *open, List list, const char *between,
                          const char *close) {
    fputs(open, self->out);
    put_list(self, list, between);
    fputs(close, self->out);
}

static void put_path_slot(const Dump *self, const Expr *expr) {
    if (expr->slot) fprintf(self->out, "$%u", expr->slot);
}

static void put_compare(const Dump *self, const Expr *expr) {
    for (uint32_t i = 0; i < expr->list.count; i++) {
        if (i) fprintf(self->out, " %s ", operators[self->model->links.items[expr->c + i - 1]]);
        put_expr(self, self->model->links.items[expr->list.first + i]);
    }
}

static void put_dict(const Dump *self, List list) {
    fputc('{', self->out);
    for (uint32_t i = 0; i + 1 < list.count; i += 2) {
        const uint32_t *entry = self->model->links.items + list.first + i;
        if (i) fputs(", ", self->out);
        if (entry[0])
            put_two(self, entry[0], ": ", entry[1]);
        else
            fputs("**", self->out), put_expr(self, entry[1]);
    }
    fputc('}', self->out);
}

static void put_comprehension(const Dump *self, const Expr *expr, const char *open, const char *close) {
    fputs(open, self->out);
    if (expr->kind == EXPR_DICT_COMP)
        put_two(self, expr->a, ": ", expr->b);
    else
        put_expr(self, expr->a);
    put_list(self, expr->list, "");
    fprintf(self->out, "%s@L%u", close, expr->loop);
}

static void put_interpolation(const Dump *self, const Expr *expr) {
    fputc('{', self->out);
    put_expr(self, expr->a);
    if (expr->op) fprintf(self->out, "!%c", expr->op);
    if (expr->name) fputc(':', self->out), put_name(self, expr->name);
    if (expr->b) fputc(':', self->out), put_expr(self, expr->b);
    fputc('}', self->out);
}

static void put_prefix(const Dump *self, const char *prefix, ExprId a) {
    fputs(prefix, self->out);
    if (a) put_expr(self, a);
}

static void put_expr(const Dump *self, ExprId id) {
    FILE *out = self->out;
    if (!id) return;
    const Expr *e = &self->model->exprs.items[id];
    switch ((ExprKind)e->kind) {
    case EXPR_NONE_ID: break;
    case EXPR_ERROR: fputs("<error>", out); break;
    case EXPR_NAME: put_variable(self, e); break;
    case EXPR_INT:
    case EXPR_FLOAT: put_name(self, e->name); break;
    case EXPR_STRING: fputc('"', out), put_name(self, e->name), fputc('"', out); break;
    case EXPR_FSTRING: put_bracketed(self, "f(", e->list, " ", ")"); break;
    case EXPR_INTERPOLATION: put_interpolation(self, e); break;
    case EXPR_TRUE: fputs("True", out); break;
    case EXPR_FALSE: fputs("False", out); break;
    case EXPR_NONE: fputs("None", out); break;
    case EXPR_ELLIPSIS: fputs("...", out); break;
    case EXPR_ATTRIBUTE:
        put_prefix(self, "", e->a), fputc('.', out), put_name(self, e->name), put_path_slot(self, e);
        break;
    case EXPR_SUBSCRIPT: put_two(self, e->a, "[", e->b), fputc(']', out), put_path_slot(self, e); break;
    case EXPR_SLICE: put_two(self, e->a, ":", e->b), put_prefix(self, e->c ? ":" : "", e->c); break;
    case EXPR_CALL: put_expr(self, e->a), put_bracketed(self, "(", e->list, ", ", ")"); break;
    case EXPR_KEYWORD: put_name(self, e->name), put_prefix(self, "=", e->a); break;
    case EXPR_STAR: put_prefix(self, "*", e->a); break;
    case EXPR_DOUBLE_STAR: put_prefix(self, "**", e->a); break;
    case EXPR_BINARY:
        fputc('(', out), put_expr(self, e->a), fprintf(out, " %s ", operators[e->op]), put_expr(self, e->b),
            fputc(')', out);
        break;
    case EXPR_UNARY: put_prefix(self, operators[e->op], e->a); break;
    case EXPR_NOT: put_prefix(self, "not ", e->a); break;
    case EXPR_COMPARE: put_compare(self, e); break;
    case EXPR_AND: put_bracketed(self, "(", e->list, " and ", ")"); break;
    case EXPR_OR: put_bracketed(self, "(", e->list, " or ", ")"); break;
    case EXPR_IF: put_two(self, e->b, " if ", e->a), put_prefix(self, " else ", e->c); break;
    case EXPR_LAMBDA: fprintf(out, "lambda@F%u", e->func); break;
    case EXPR_LIST: put_bracketed(self, "[", e->list, ", ", "]"); break;
    case EXPR_TUPLE: put_bracketed(self, "(", e->list, ", ", e->list.count == 1 ? ",)" : ")"); break;
    case EXPR_SET: put_bracketed(self, "{", e->list, ", ", "}"); break;
    case EXPR_DICT: put_dict(self, e->list); break;
    case EXPR_LIST_COMP: put_comprehension(self, e, "[", "]"); break;
    case EXPR_SET_COMP:
    case EXPR_DICT_COMP: put_comprehension(self, e, "{", "}"); break;
    case EXPR_GENERATOR: put_comprehension(self, e, "(", ")"); break;
    case EXPR_COMP_FOR: fputs(e->op ? " async for " : " for ", out), put_two(self, e->a, " in ", e->b); break;
    case EXPR_COMP_IF: put_prefix(self, " if ", e->a); break;
    case EXPR_AWAIT: put_prefix(self, "await ", e->a); break;
    case EXPR_YIELD: put_prefix(self, "yield ", e->a); break;
    case EXPR_YIELD_FROM: put_prefix(self, "yield from ", e->a); break;
    case EXPR_NAMED: put_two(self, e->a, " := ", e->b); break;
    }
}

/* ---- statements ---- */

static void put_block(const Dump *self, List body, int depth);

static void indent(const Dump *self, int depth) { fprintf(self->out, "%*s", depth * 2, ""); }

static void put_imports(const Dump *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) {
        const Import *import = &self->model->imports.items[self->model->links.items[list.first + i]];
        fprintf(self->out, "%s%.*s", i ? ", " : " ", import->dots, "................");
        put_name(self, import->module);
        if (import->name) fputs(" import ", self->out), put_name(self, import->name);
        if (import->target) fputs(" -> ", self->out), put_expr(self, import->target);
        if (import->type_checking) fputs(" (type checking)", self->out);
    }
}

static void put_name_list(const Dump *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) {
        fputc(' ', self->out);
        put_name(self, self->model->links.items[list.first + i]);
    }
}

static void put_head(const Dump *self, const Stmt *s) {
    FILE *out = self->out;
    switch ((StmtKind)s->kind) {
    case STMT_NONE_ID: break;
    case STMT_ERROR: fputs("<error>", out); break;
    case STMT_EXPR: put_expr(self, s->a); break;
    case STMT_ASSIGN:
        put_list(self, s->list, " = "), put_prefix(self, s->a ? " : " : "", s->a),
            put_prefix(self, s->b ? " = " : "", s->b);
        break;
    case STMT_AUGMENT:
        put_expr(self, s->a), fprintf(out, " %s= ", operators[s->op]), put_expr(self, s->b);
        break;
    case STMT_RETURN: put_prefix(self, "return ", s->a); break;
    case STMT_RAISE: put_prefix(self, "raise ", s->a), put_prefix(self, s->b ? " from " : "", s->b); break;
    case STMT_ASSERT: put_prefix(self, "assert ", s->a), put_prefix(self, s->b ? ", " : "", s->b); break;
    case STMT_DELETE: put_bracketed(self, "del ", s->list, ", ", ""); break;
    case STMT_PASS: fputs("pass", out); break;
    case STMT_BREAK: fputs("break", out); break;
    case STMT_CONTINUE: fputs("continue", out); break;
    case STMT_GLOBAL: fputs("global", out), put_name_list(self, s->list); break;
    case STMT_NONLOCAL: fputs("nonlocal", out), put_name_list(self, s->list); break;
    case STMT_IMPORT: fputs("import", out), put_imports(self, s->list); break;
    case STMT_IF: put_prefix(self, "if ", s->a); break;
    case STMT_WHILE: put_prefix(self, "while ", s->a); break;
    case STMT_FOR: fputs(s->op ? "async for " : "for ", out), put_two(self, s->a, " in ", s->b); break;
    case STMT_TRY: fputs("try", out); break;
    case STMT_HANDLER: put_prefix(self, "except ", s->a), put_prefix(self, s->b ? " as " : "", s->b); break;
    case STMT_WITH: fputs(s->op ? "async with" : "with", out); break;
    case STMT_WITH_ITEM: put_prefix(self, "item ", s->a), put_prefix(self, s->b ? " as " : "", s->b); break;
    case STMT_FUNCTION: put_prefix(self, "def ", s->b), fprintf(out, " F%u", s->func); break;
    case STMT_CLASS: put_prefix(self, "class ", s->b), fprintf(out, " C%u", s->class_id); break;
    case STMT_MATCH: put_prefix(self, "match ", s->a); break;
    case STMT_CASE:
        put_bracketed(self, "case ", s->list, ", ", ""), put_prefix(self, s->a ? " if " : "", s->a);
        break;
    }
}

static bool lists_statements(const Stmt *stmt) {
    return stmt->kind == STMT_TRY || stmt->kind == STMT_WITH || stmt->kind == STMT_MATCH;
}

static void put_part(const Dump *self, const char *title, List body, int depth) {
    if (!body.count) return;
    indent(self, depth);
    fprintf(self->out, "%s\n", title);
    put_block(self, body, depth + 1);
}

static void put_stmt(const Dump *self, StmtId id, int depth) {
    const Stmt *stmt = &self->model->stmts.items[id];
    indent(self, depth);
    put_head(self, stmt);
    if (stmt->loop) fprintf(self->out, " @L%u", stmt->loop);
    fputs("  # ", self->out);
    put_position(self, stmt->span);
    fputc('\n', self->out);
    if (stmt->kind == STMT_WITH) put_block(self, stmt->list, depth + 2);
    put_block(self, stmt->body, depth + 1);
    if (lists_statements(stmt) && stmt->kind != STMT_WITH) put_block(self, stmt->list, depth);
    put_part(self, "else", stmt->orelse, depth);
    put_part(self, "finally", stmt->final, depth);
}

static void put_block(const Dump *self, List body, int depth) {
    for (uint32_t i = 0; i < body.count; i++) put_stmt(self, self->model->links.items[body.first + i], depth);
}

/* ---- functions and files ---- */

static void put_params(const Dump *self, const Func *func) {
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &self->model->params.items[func->first_param + i];
        fprintf(self->out, "  param %s", param->star == 1 ? "*" : param->star == 2 ? "**" : "");
        put_name(self, param->name);
        fprintf(self->out, "$%u%s%s", param->slot, param->keyword_only ? " keyword-only" : "",
                param->positional_only ? " positional-only" : "");
        put_prefix(self, param->annotation ? " : " : "", param->annotation);
        put_prefix(self, param->fallback ? " = " : "", param->fallback);
        fputc('\n', self->out);
    }
}

static void put_locals(const Dump *self, const Func *func) {
    if (!func->local_count) return;
    fputs("  locals", self->out);
    for (uint32_t i = 0; i < func->local_count; i++) {
        const Local *local = &self->model->locals.items[func->first_local + i];
        fputc(' ', self->out);
        put_name(self, local->name);
        fprintf(self->out, "$%u%s%s%s", i + 1, local->is_global ? "(global)" : "",
                local->is_nonlocal ? "(nonlocal)" : "", local->is_comprehension ? "(comprehension)" : "");
    }
    fputc('\n', self->out);
}

static void put_func(const Dump *self, FuncId id) {
    static const char *const kinds[] = {"module", "def", "lambda", "class body"};
    const Func *func = &self->model->funcs.items[id];
    fprintf(self->out, "F%u %s%s%s ", id, func->is_async ? "async " : "",
            func->is_generator ? "generator " : "", kinds[func->kind]);
    put_name(self, func->name);
    if (func->parent) fprintf(self->out, " in F%u", func->parent);
    if (func->class_id) fprintf(self->out, " of C%u", func->class_id);
    fputs("  # ", self->out);
    put_position(self, func->span);
    fputc('\n', self->out);
    for (uint32_t i = 0; i < func->decorators.count; i++) {
        put_prefix(self, "  @", self->model->links.items[func->decorators.first + i]);
        fputc('\n', self->out);
    }
    put_params(self, func);
    if (func->returns) put_prefix(self, "  returns ", func->returns), fputc('\n', self->out);
    put_locals(self, func);
    put_block(self, func->body, 1);
}

static void put_class(const Dump *self, ClassId id) {
    const Class *class = &self->model->classes.items[id];
    fprintf(self->out, "C%u class ", id);
    put_name(self, class->name);
    put_bracketed(self, "(", class->bases, ", ", ")");
    fprintf(self->out, " body F%u methods", class->body);
    for (uint32_t i = 0; i < class->methods.count; i++)
        fprintf(self->out, " F%u", self->model->links.items[class->methods.first + i]);
    fputc('\n', self->out);
}

void dump_file_model(FILE *out, const FileModel *model, Text bytes) {
    Dump self = {.out = out, .model = model, .bytes = bytes.bytes};
    fprintf(out, "%u lines, %u comments, %u errors, %u given up%s\n", model->lines.count,
            model->comments.count - 1, model->error_count, model->given_up, model->has_torch ? ", torch" : "");
    for (FuncId id = 1; id < model->funcs.count; id++) {
        self.func = id;
        put_func(&self, id);
    }
    for (ClassId id = 1; id < model->classes.count; id++) put_class(&self, id);
}

void dump_model(FILE *out, const Program *program) {
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        fputs("== ", out);
        put_bytes(out, file->path);
        fputs(" (module ", out);
        put_bytes(out, names_text(&program->names, file->module));
        fprintf(out, ")%s\n", file->reported ? "" : " (neighbour)");
        dump_file_model(out, file->model, file->bytes);
    }
}
