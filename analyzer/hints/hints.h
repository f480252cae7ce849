#ifndef SYNCL_HINTS_H
#define SYNCL_HINTS_H
/* What a program's text shows without evaluating it: what cannot be imported or run, who mentions which name,
   how each variable is used. Reads models only. */
#include "evaluation.h"
#include "ahead.h"

struct NameSign;

typedef enum CallPlace { CALLED_ANYWHERE, CALLED_BY_MAKERS, CALLED_BY_WORKERS } CallPlace;

enum {
    USE_BACKWARD = 1,
    USE_TENSOR = 2,
    USE_MODULE = 4,
    USE_OPTIMIZER = 8,
    USE_MOVED = 16,
    USE_NUMPY = 32, /* `x.numpy()`, and x is never assigned: it is on the CPU */
    USE_NUMBER = 64,
    USE_CALLED = 128,
    USE_ITERATED = 256,
    USE_LENGTHS = 512, /* lengths of packed sequences, which are on the CPU */
    USE_READ_BACK = 1024,
    USE_TEXT = 2048,    /* compared with a string, or a string method is called on it */
    USE_TRUTH = 4096,   /* tested: a flag, or a number that is compared */
    USE_SIZE = 8192,    /* part of a size, slice bound, padding or probability */
    USE_OUTPUT = 32768, /* its logits are read: the output of a model */
    USE_COMPUTED = 65536, /* called with methods that only tensors have and that code computing with them uses:
                             clone, new_zeros, add_ */
    USE_ASKED = 16384,  /* an attribute is read, it is indexed or iterated, or computed with as tensors are */
};

typedef struct Mentions {
    const Rulebook *book;
    const Program *program;
    Mentioned *names;
    Inference *inference; /* NULL while names are counted */
    uint8_t *places;      /* [GlobalFunc] CallPlace; NULL likewise */
} Mentions;

typedef void EachFunc(Mentions *self, const SourceFile *source, FuncId func);

/* ---- broken.c ---- */
/* [FileId]: files that cannot be imported. */
const bool *find_broken(const Inference *inference);
const bool *find_silent(const Inference *inference);
bool has_no_placer(const Inference *inference); /* nothing in sight can put anything on a GPU */

/* ---- raises.c ---- */
bool takes_names(const FileModel *model); /* names may enter the module other than by its own bindings and imports */
bool begins_unbound(const Inference *inference, const SourceFile *file, ExprId id);
const Raising *find_raising(Inference *inference); /* [GlobalFunc] */
bool raises_beside(const Inference *inference, GlobalFunc func, StmtId stmt); /* 0 = the whole function */

/* ---- importers.c ---- */
/* [FileId]: files that run after `of`: they import it at module level, or lie in a package that does. */
const bool *find_importers(Arena *arena, const Program *program, FileId of);
const bool *find_imported(Arena *arena, const Program *program, FileId of); /* the files that run before `of` */
/* Marks where torch.set_default_device("cuda"), called in file `by` for all its callers, is in effect: in that file; in its
   importers, if at_top (the module body calls it); and in imported files, unless more programs of the
   repository run them without such a call than with one. */
void set_default_cuda(Inference *inference, FileId by, bool at_top);

/* ---- helper.c ---- */
const bool *find_helpers(Arena *arena, const Program *program); /* [GlobalFunc]: the function is short */

/* ---- sequence.c ---- */
const FuncId *find_sequence(Arena *arena, const Program *program); /* see Inference.sequence */

/* ---- mention.c ---- */
bool is_mention(const Expr *expr);
/* [GlobalFunc]: its file mentions it outside of its own def */
const bool *find_named(Arena *arena, const Program *program);
/* Whether unseen code may call the method: the class has an unknown base, or one of a library that may know the name, or
   (where `computed` asks for it) its file computes names of attributes. */
bool is_open_class(const Inference *inference, GlobalClass id, Text method, bool computed);
const bool *find_forgotten(const Inference *inference); /* [GlobalFunc]: private and never mentioned, or of objects that nothing reads */
void each_function(Mentions *self, EachFunc *visit);
void add_bounded(Mentions *self, Sym name, CallPlace place);
Mentioned *find_mentioned(Arena *arena, const Rulebook *book, const Program *program, uint32_t names);

/* ---- own.c ---- */
typedef struct Own { /* no code out of sight can ask for it by its name */
    bool *functions; /* [GlobalFunc] */
    bool *classes;   /* [GlobalClass] */
} Own;
Own find_own_code(Arena *arena, Arena *scratch, const Inference *inference);

/* ---- use.c ---- */
const struct NameSign *find_signs(Arena *arena, const Rulebook *book, const Names *names);
bool uses_say_host(uint32_t use); /* the value can only be a Python number or flag */
uint32_t *uses_in_text(Arena *arena, Arena *scratch, const Inference *inference, FileId file, FuncId func);
const uint32_t *evidence_of(Inference *inference, FileId file, FuncId func);
void evidence_add(Eval *eval, ExprId id, uint32_t use);
void evidence_of_call(Eval *eval, FileId file, FuncId func, bool bound, const Args *args);

#endif
