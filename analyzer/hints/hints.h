#ifndef SYNCL_HINTS_H
#define SYNCL_HINTS_H
/* What the text of a program says, whatever goes through it: what cannot be imported or run, who names what, how each
   variable is used. Asked of models alone; nothing here evaluates. */
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
    USE_NUMPY = 32, /* `x.numpy()`, and nothing is assigned to it: on the CPU */
    USE_NUMBER = 64,
    USE_CALLED = 128,
    USE_ITERATED = 256,
    USE_LENGTHS = 512, /* lengths of packed sequences, which are on the CPU */
    USE_READ_BACK = 1024,
    USE_TEXT = 2048,    /* compared with a string, or asked for a method of strings */
    USE_TRUTH = 4096,   /* decides something: a flag, or a number that is compared */
    USE_SIZE = 8192,    /* part of a size, a slice bound, a padding, a probability */
    USE_OUTPUT = 32768, /* asked for its logits: what a model gave */
    USE_COMPUTED = 65536, /* asked for what tensors alone have and who computes with them wants: clone, new_zeros, add_ */
    USE_ASKED = 16384,  /* asked for an attribute, indexed, iterated, or computed with as tensors are */
};

typedef struct Mentions {
    const Rulebook *book;
    const Program *program;
    Mentioned *names;
    Inference *inference; /* NULL while names are counted */
    uint8_t *places;      /* [GlobalFunc] CallPlace; likewise */
} Mentions;

typedef void EachFunc(Mentions *self, const SourceFile *source, FuncId func);

/* ---- broken.c ---- */
/* [FileId]: files that cannot be imported */
const bool *find_broken(const Inference *inference);
const bool *find_silent(const Inference *inference);

/* ---- raises.c ---- */
bool takes_names(const FileModel *model); /* in ways that it does not spell out */
bool begins_unbound(const Inference *inference, const SourceFile *file, ExprId id);
const Raising *find_raising(Inference *inference); /* [GlobalFunc] */
bool raises_beside(const Inference *inference, GlobalFunc func, StmtId stmt); /* 0 = all of the function */

/* ---- importers.c ---- */
/* [FileId]: the files that `of` runs before: they import it at their top, or lie in a package that does. */
const bool *find_importers(Arena *arena, const Program *program, FileId of);
const bool *find_imported(Arena *arena, const Program *program, FileId of); /* those that run before `of` */
/* A call of torch.set_default_device("cuda") in file `by`: it holds there, in what imports that (at_top: the module's body
   says it), and in what is imported by no more programs of the repository that do not say it than by those that do. */
void set_default_cuda(Inference *inference, FileId by, bool at_top);

/* ---- helper.c ---- */
const bool *find_helpers(Arena *arena, const Program *program); /* [GlobalFunc]: a function that is short */

/* ---- sequence.c ---- */
const FuncId *find_sequence(Arena *arena, const Program *program); /* see Inference.sequence */

/* ---- mention.c ---- */
bool is_mention(const Expr *expr);
const bool *find_named(Arena *arena, const Program *program); /* [GlobalFunc]: something in its file but its own def */
const bool *find_forgotten(const Inference *inference); /* [GlobalFunc]: private, and nothing names it */
void each_function(Mentions *self, EachFunc *visit);
void add_bounded(Mentions *self, Sym name, CallPlace place);
Mentioned *find_mentioned(Arena *arena, const Rulebook *book, const Program *program, uint32_t names);

/* ---- use.c ---- */
const struct NameSign *find_signs(Arena *arena, const Rulebook *book, const Names *names);
bool uses_say_host(uint32_t use); /* nothing but a Python number or flag is used so */
uint32_t *uses_in_text(Arena *arena, Arena *scratch, const Inference *inference, FileId file, FuncId func);
const uint32_t *evidence_of(Inference *inference, FileId file, FuncId func);
void evidence_add(Eval *eval, ExprId id, uint32_t use);
void evidence_of_call(Eval *eval, FileId file, FuncId func, bool bound, const Args *args);

#endif
