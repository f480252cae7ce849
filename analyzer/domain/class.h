#ifndef SYNCL_CLASS_H
#define SYNCL_CLASS_H
/* Classes of the program: bases, the order in which Python looks (C3), attributes, and instances told apart by where
   they are made. An answer holds until a class is evaluated; who asked is evaluated again then. */
#include "store.h"

typedef struct Args Args;

enum { BASES_MOST = 8 };

typedef struct ClassInfo {
    const Value *bases[BASES_MOST];
    uint32_t base_count;
    uint32_t *order; /* what it inherits in the order of Python's MRO, see class_order */
    uint32_t order_count, order_room;
    uint32_t order_of; /* Inference.families when that was found; 0 = not yet */
    uint32_t changed_at; /* Inference.classes_changed of the last change */
    uint32_t places;   /* where its instances are made, as far as they are told apart */
    uint8_t is_module; /* Tri: inherits torch.nn.Module through what we see */
    bool evaluated;
    bool apart; /* instances are told apart by where they are made, see instance.c */
    VEC(Sym) attributes; /* that were written, in order */
    EntryId entry_base;  /* nearest stub class of its ancestors, 0 = none */
} ClassInfo;

typedef const Value *ReadMember(Eval *eval, GlobalClass class_id, Sym name);

enum { MRO_MOST = 64 };

/* Everything that a file's star imports lead to, through theirs too, in order and once each. */
typedef struct StarTarget {
    FileId file;
    EntryId entry;
} StarTarget;

struct Stars {
    bool known, visiting;
    VEC(StarTarget) targets;
    uint8_t *files; /* a bit for each file of the program that is a target; NULL while they are few */
    Sym *bound; /* names that the module's body binds, sorted */
    uint32_t bound_count;
    bool bound_known;
};

/* ---- class.c ---- */
const ClassInfo *class_info(Inference *inference, GlobalClass class_id);
void class_classify(Inference *inference, GlobalClass id);
bool class_inherits(Inference *inference, GlobalClass class_id, EntryId base);
/* An optimizer of PyTorch's, or of a class in sight that inherits one. */
bool is_optimizer_alt(const Inference *inference, const Alt *alt);
bool is_module_alt(Eval *eval, const Alt *alt);
struct Stars *infer_stars(Arena *arena, uint32_t count);
void stars_add(Inference *inference, struct Stars *stars, StarTarget target);
bool module_binds(Inference *inference, FileId file, Sym name); /* its body, or a function of it by `global` */
bool is_abstract_method(const FileModel *model, const Func *func);
/* A literal that stands alone or is given to a variable: alone in a function nobody asks for it. */
bool does_nothing(const FileModel *model, const Stmt *stmt);
bool left_to_subclasses(const FileModel *model, const Func *func);

/* ---- mro.c ---- */
/* Generic[T], Protocol, ABC: they say something of a class and give it nothing. */
bool says_only(const Inference *inference, EntryId base);
/* A class and what it inherits in Python's order, itself first: id << 1 of a class of the program, | 1 of an entry of
   the rulebook. Good until a class is evaluated. */
const uint32_t *class_order(Inference *inference, GlobalClass class_id, uint32_t *count);
/* What its own body or methods bind, on any instance. */
const Value *own_member(Eval *eval, GlobalClass class_id, Sym name);
const Value *member_along(Eval *eval, GlobalClass class_id, Sym name, const Value *own, ReadMember *read,
                          EntryId *entry);
/* Looks along the MRO. Gives the joined value and, when a stub base answers, its entry. */
const Value *class_member(Eval *eval, GlobalClass class_id, Sym name, EntryId *entry);

/* ---- instance.c ---- */
void write_class_attribute(Inference *inference, GlobalClass class_id, Sym name, const Value *value);
/* Of the instance; of all of its class where its place is not known. */
void write_attribute(Inference *inference, const Alt *instance, Sym name, const Value *value);
/* `blob: Tensor` in a class body: what the attribute holds where nothing in sight is known to be given to it. */
void declare_member(Inference *inference, GlobalClass class_id, Sym name, const Value *value);
const Value *declared_member(Eval *eval, GlobalClass class_id, Sym name);
bool pays_apart(Inference *inference, GlobalClass class_id);
ObjectId instance_place(Eval *eval, ExprId expr, GlobalClass class_id); /* 0 = its class is not told apart */
/* As class_member, of an instance: what it was given itself comes before what its class has. */
const Value *instance_member(Eval *eval, const Alt *instance, Sym name, EntryId *entry);

#endif
