#ifndef SYNCL_MODEL_H
#define SYNCL_MODEL_H
/* The model: what one Python file says, as flat arrays with ids; the syntax tree is gone. A FileModel is
   relocatable: offsets, ids and names are local to the file, and it holds no pointers but to its own arrays
   and, for names, into the file's bytes. So files are lowered in parallel and models can be cached. Ids start
   at 1 (index 0 of every array is an unused zero record); 0 = none. Positions are byte offsets into the file's
   bytes. `lower` makes it; every later step takes it const. */
#include "text.h"

typedef uint32_t NameId; /* local to a file: FileModel.names */
typedef uint32_t ExprId;
typedef uint32_t StmtId;
typedef uint32_t FuncId;
typedef uint32_t ClassId;
typedef uint32_t LoopId;

typedef struct Span { uint32_t start, end; } Span; /* bytes, end exclusive */
typedef struct List { uint32_t first, count; } List; /* FileModel.links[first .. first + count): ids */

/* Parts of a file that were not parsed: bodies of functions, or whole statements. In order, without overlap. */
typedef struct Gaps { const Span *items; uint32_t count; } Gaps;

/* ---- expressions ---- */
typedef enum ExprKind {
    EXPR_NONE_ID,      /* index 0 */
    EXPR_ERROR,        /* syntax that could not be read */
    EXPR_NAME,         /* name; binding, slot */
    EXPR_INT,          /* name = literal text */
    EXPR_FLOAT,        /* name = literal text */
    EXPR_STRING,       /* name = decoded content (adjacent literals joined; prefix r/b/u dropped; escapes kept raw) */
    EXPR_FSTRING,      /* list: EXPR_INTERPOLATION and EXPR_STRING parts in order */
    EXPR_INTERPOLATION,/* a = value; op = conversion char ('r','s','a' or 0); name = format spec text (0 = none);
                          b = nested EXPR_FSTRING when the spec itself interpolates */
    EXPR_TRUE, EXPR_FALSE, EXPR_NONE, EXPR_ELLIPSIS,
    EXPR_ATTRIBUTE,    /* a = object, name; slot (path) */
    EXPR_SUBSCRIPT,    /* a = object, b = index (EXPR_TUPLE when there are commas); slot (path) */
    EXPR_SLICE,        /* a = lower, b = upper, c = step, each may be 0 */
    EXPR_CALL,         /* a = callee, list = arguments in order (values, EXPR_KEYWORD, EXPR_STAR, EXPR_DOUBLE_STAR) */
    EXPR_KEYWORD,      /* name, a = value */
    EXPR_STAR,         /* a */
    EXPR_DOUBLE_STAR,  /* a */
    EXPR_BINARY,       /* op (Operator), a, b */
    EXPR_UNARY,        /* op (OP_NEG, OP_POS, OP_INVERT), a */
    EXPR_NOT,          /* a */
    EXPR_COMPARE,      /* list = operands (n), op = first operator; ops of a chain: names[] none; c = index in
                          links of n-1 operator codes */
    EXPR_AND, EXPR_OR, /* list = operands, flattened for equal operators */
    EXPR_IF,           /* a = condition, b = value if true, c = value if false */
    EXPR_LAMBDA,       /* func */
    EXPR_LIST, EXPR_TUPLE, EXPR_SET, /* list */
    EXPR_DICT,         /* list = key, value, key, value ...; key 0 for a ** entry whose value is the mapping */
    EXPR_LIST_COMP, EXPR_SET_COMP, EXPR_GENERATOR, /* a = element, list = clauses, loop */
    EXPR_DICT_COMP,    /* a = key, b = value, list = clauses, loop */
    EXPR_COMP_FOR,     /* a = target, b = iterable; op = 1 for async */
    EXPR_COMP_IF,      /* a = condition */
    EXPR_AWAIT,        /* a */
    EXPR_YIELD,        /* a, may be 0 */
    EXPR_YIELD_FROM,   /* a */
    EXPR_NAMED,        /* a = target (EXPR_NAME), b = value (the walrus) */
} ExprKind;

typedef enum Operator {
#define OPERATOR(name, sign, method) OP_##name,
#define SIGN(node, name)
#include "operators.def"
} Operator;

/* The scope in which a name is bound. A comprehension's variables are slots of the enclosing function, under
   another name where they would shadow one of its own. A class body is a function of its own (FUNC_CLASS_BODY). */
typedef enum Binding {
    BIND_NO,
    BIND_LOCAL,  /* slot in the function that holds the expression */
    BIND_FREE,   /* a local of an enclosing function: slot in function `func` */
    BIND_GLOBAL, /* the module's scope, or builtins when the module body does not bind it; slot in func 1 or 0 */
} Binding;

typedef struct Expr {
    uint8_t kind;    /* ExprKind */
    uint8_t op;      /* Operator or conversion */
    uint8_t binding; /* EXPR_NAME */
    uint8_t paren;   /* 1 = stood in parentheses (span is without them) */
    Span span;
    ExprId a, b, c;
    List list;
    NameId name;
    uint32_t slot;   /* EXPR_NAME, and paths (see Local); 0 = none */
    union {
        FuncId func; /* EXPR_LAMBDA; EXPR_NAME with BIND_FREE */
        LoopId loop; /* comprehensions */
    };
} Expr;

/* ---- statements ---- */
typedef enum StmtKind {
    STMT_NONE_ID,
    STMT_ERROR,
    STMT_EXPR,       /* a */
    STMT_ASSIGN,     /* list = targets, b = value (a = b = v has two targets); a = annotation; b may be 0 */
    STMT_AUGMENT,    /* a = target, op, b = value */
    STMT_RETURN,     /* a, may be 0 */
    STMT_RAISE,      /* a, b = cause */
    STMT_ASSERT,     /* a = condition, b = message */
    STMT_DELETE,     /* list = targets */
    STMT_PASS, STMT_BREAK, STMT_CONTINUE,
    STMT_GLOBAL, STMT_NONLOCAL, /* list = name ids */
    STMT_IMPORT,     /* list = import ids */
    STMT_IF,         /* a = condition, body, orelse (an elif is a STMT_IF alone in orelse) */
    STMT_WHILE,      /* a = condition, body, orelse, loop */
    STMT_FOR,        /* a = target, b = iterable, body, orelse, loop; op = 1 for async */
    STMT_TRY,        /* body, list = STMT_HANDLER ids, orelse, final */
    STMT_HANDLER,    /* a = exception, b = target name expr, body */
    STMT_WITH,       /* list = STMT_WITH_ITEM ids, body; op = 1 for async */
    STMT_WITH_ITEM,  /* a = context expression, b = target or 0 */
    STMT_FUNCTION,   /* func; b = EXPR_NAME that is bound (slot) */
    STMT_CLASS,      /* class_id; b = EXPR_NAME that is bound */
    STMT_MATCH,      /* a = subject, list = STMT_CASE ids */
    STMT_CASE,       /* list = pattern expressions (names bound by it are EXPR_NAME), a = guard, body */
} StmtKind;

typedef struct Stmt {
    uint8_t kind;
    uint8_t op;
    Span span;   /* the whole statement with its body */
    Span head;   /* without nested blocks: `for x in y:`; equals span for simple statements */
    ExprId a, b;
    List list;
    List body, orelse, final; /* StmtIds */
    FuncId func;
    ClassId class_id;
    LoopId loop;
} Stmt;

typedef struct Import {
    NameId module;  /* dotted path as written without leading dots; 0 for `from . import x` */
    NameId name;    /* from-import: the imported name; 0 for `import a.b`; "*" for a star */
    NameId alias;   /* name after `as`, 0 = none */
    ExprId target;  /* EXPR_NAME that is bound (`import a.b` binds a; with alias, the alias); 0 for a star */
    uint8_t dots;   /* leading dots */
    uint8_t type_checking; /* under `if TYPE_CHECKING` */
    Span span;
} Import;

typedef struct Param {
    NameId name;
    uint32_t slot;
    ExprId annotation, fallback; /* fallback: the default value, in the enclosing function's scope */
    uint8_t star;                /* 0, 1 = *args, 2 = **kwargs */
    uint8_t keyword_only, positional_only;
} Param;

/* A local slot of a function. It is a variable, or a path that the function assigns, deletes or tests (`is
   None`, isinstance, truth): at most 4 attributes or literal string or int keys after a local variable, as in
   `self.x`, `batch["x"]`, `a.b.c`. A path's name is its normalised text: a.b, a["k"], a[0]. Rebinding the
   variable `root` invalidates the paths below it. Every EXPR_ATTRIBUTE and EXPR_SUBSCRIPT of that text in the
   function has the slot. */
typedef struct Local {
    NameId name;
    uint32_t root;       /* slot of the variable that a path starts with; 0 for a variable */
    uint32_t above;      /* slot of the longest proper prefix that has one: another path, else `root` */
    uint8_t is_param, is_global, is_nonlocal; /* declared global or nonlocal: it is resolved elsewhere and is no
                                                 slot of its own */
    uint8_t is_comprehension;
} Local;

typedef enum FuncKind { FUNC_MODULE, FUNC_DEF, FUNC_LAMBDA, FUNC_CLASS_BODY } FuncKind;

typedef struct Func {
    uint8_t kind;
    uint8_t is_async, is_generator;
    NameId name;         /* module: 0; lambda: 0 */
    FuncId parent;       /* enclosing function (module body = 1); class bodies are skipped */
    ClassId class_id;    /* the class whose body defines it, 0 = none */
    Span span;
    StmtId stmt;         /* its def statement */
    List decorators;     /* ExprIds, evaluated in the parent */
    uint32_t first_param, param_count; /* FileModel.params */
    ExprId returns;      /* annotation */
    List body;           /* StmtIds; a lambda has one STMT_RETURN; empty for a def: its body was not parsed */
    uint32_t first_local, local_count; /* FileModel.locals; slot s is locals[first_local + s - 1] */
    ExprId first_expr, end_expr;       /* its expressions are contiguous: those of nested functions come after
                                          `end_expr` */
    StmtId first_stmt, end_stmt;
    LoopId first_loop, end_loop;
} Func;

typedef struct Class {
    NameId name;
    FuncId parent;   /* function in which the class statement stands */
    FuncId body;     /* FUNC_CLASS_BODY */
    ClassId outer;   /* the class around it, 0 = none */
    Span span;
    List bases;      /* ExprIds (EXPR_KEYWORD for metaclass=), evaluated in the parent */
    List decorators;
    List methods;    /* FuncIds in order */
} Class;

typedef struct Loop {
    FuncId func;
    LoopId outer;    /* within the same function */
    StmtId stmt;     /* STMT_FOR / STMT_WHILE, or 0 */
    ExprId expr;     /* comprehension, or 0 */
    Span head;
} Loop;

typedef struct Comment { Span span; } Comment; /* from '#' to the end of the line */

typedef struct FileModel {
    uint32_t byte_count;
    VEC(Expr) exprs;
    VEC(Stmt) stmts;
    VEC(Func) funcs;       /* funcs[1] is the module body */
    VEC(Class) classes;
    VEC(Param) params;
    VEC(Local) locals;
    VEC(Loop) loops;
    VEC(Import) imports;
    VEC(Comment) comments;
    VEC(uint32_t) links;
    VEC(Text) names;       /* names.items[NameId]; index 0 is empty; the bytes lie in the file's bytes or in the
                              model's arena */
    VEC(uint32_t) lines;   /* byte offset of each line's start */
    List exported;         /* __all__ as a literal list: NameIds; count 0 with has_all 0 when absent */
    uint8_t has_all;
    uint8_t has_torch;     /* some import's first component is torch-like, or the text holds "torch" */
    uint32_t error_count;  /* ERROR and MISSING nodes of the tree */
    uint32_t given_up;     /* subtrees beyond the nesting limit, lowered as EXPR_ERROR / STMT_ERROR */
    uint32_t broken_at;    /* byte offset of the first error, else of the first subtree given up; 0 where there are
                              none */
} FileModel;

/* 1-based line and column (in code points) of a byte offset. `bytes` are the file's bytes. A line may be
   megabytes long with many findings, so columns are counted up to COLUMN_BYTES: a place further right gets the
   column of that limit. */
enum { COLUMN_BYTES = 1 << 16 };
typedef struct Position { uint32_t line, column; } Position;
Position model_position(const FileModel *model, const char *bytes, uint32_t offset);
uint32_t model_line(const FileModel *model, uint32_t offset); /* 1-based */
/* The offset, or that of the carriage return before it: the grammar takes that of a line that ends with two bytes for a part
   of its comment. line: the line's first byte. */
uint32_t model_in_line(const char *bytes, uint32_t line, uint32_t offset);
/* Code points between `at`, a line's first byte after any byte order mark, and `offset`; COLUMN_BYTES at most
   are read. */
uint32_t model_columns(const char *bytes, uint32_t at, uint32_t offset);

static inline Text model_name(const FileModel *model, NameId name) {
    assert(name < model->names.count);
    return model->names.items[name];
}

/* The last statement of a block; NULL for an empty block. */
static inline const Stmt *model_last(const FileModel *model, List block) {
    return block.count ? &model->stmts.items[model->links.items[block.first + block.count - 1]] : NULL;
}

/* Expressions are lowered in order, parts before the whole, so the subexpressions of an expression are the ids
   just below its own. The id of the first of them, or of the last but `most`. */
ExprId model_first_part(const FileModel *model, const Func *func, ExprId id, uint32_t most);
/* The function's first expression that starts at or after `offset`, which is the start or end of one of its
   statements. */
ExprId model_expr_behind(const FileModel *model, const Func *func, uint32_t offset);

/* With @name, or what ends so: @staticmethod, @abc.abstractstaticmethod, @x.setter. */
bool model_is_decorated(const FileModel *model, const Func *func, Text name);

/* The function that an expression belongs to: the last one whose expressions start at or before it. */
bool model_is_imported(const FileModel *model, const Expr *name); /* an import of the file binds that name */
static inline FuncId model_func_of(const FileModel *model, ExprId id) {
    FuncId low = 1, high = model->funcs.count;
    while (high - low > 1) {
        FuncId middle = low + (high - low) / 2;
        if (model->funcs.items[middle].first_expr <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A def without a body: it lies in a gap, or its source is broken. What it does is unknown. */
static inline bool func_is_unread(const Func *func) { return func->kind == FUNC_DEF && !func->body.count; }

#endif
