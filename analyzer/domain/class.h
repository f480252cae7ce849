#ifndef SYNCL_CLASS_H
#define SYNCL_CLASS_H
/* Classes of the program: bases, method resolution order (C3), attributes, and instances by allocation site. An
   answer is valid until some class is evaluated again; contexts that asked are then evaluated again (memo_ask). */
#include "store.h"

typedef struct Args Args;

enum { BASES_MOST = 8 };

typedef struct ClassInfo {
    const Value *bases[BASES_MOST];
    uint32_t base_count;
    uint32_t *order; /* the linearised ancestors (MRO), see class_order */
    uint32_t order_count, order_room;
    uint32_t order_of; /* Inference.families when `order` was computed; 0 = not yet */
    uint32_t changed_at; /* Inference.classes_changed at the last change */
    uint32_t places;   /* allocation sites of its instances that were told apart so far */
    uint8_t is_module; /* Tri: inherits torch.nn.Module as far as its bases are known */
    bool evaluated;
    bool apart; /* its instances are told apart by allocation site, see instance.c */
    VEC(Sym) attributes; /* names of attributes that were written, in order */
    EntryId entry_base;  /* nearest ancestor that is a stub class; 0 = none */
} ClassInfo;

typedef const Value *ReadMember(Eval *eval, GlobalClass class_id, Sym name);

enum { MRO_MOST = 64 };

/* The modules that a file's star imports lead to, also through their own star imports, in order and once each. */
typedef struct StarTarget {
    FileId file;
    EntryId entry;
} StarTarget;

struct Stars {
    bool known, visiting;
    VEC(StarTarget) targets;
    uint8_t *files; /* bit set of the files in `targets`; NULL while they are few */
    Sym *bound; /* names that the module body binds, sorted */
    uint32_t bound_count;
    bool bound_known;
};

/* ---- class.c ---- */
const ClassInfo *class_info(Inference *inference, GlobalClass class_id);
void class_classify(Inference *inference, GlobalClass id);
/* It inherits a stub, or what is not seen: code outside of the program may call its methods. */
bool class_is_foreign(const Inference *inference, GlobalClass id);
bool class_inherits(Inference *inference, GlobalClass class_id, EntryId base);
/* An optimizer: of PyTorch, or of a class of the program that inherits one. */
bool is_optimizer_alt(const Inference *inference, const Alt *alt);
bool is_module_alt(Eval *eval, const Alt *alt);
struct Stars *infer_stars(Arena *arena, uint32_t count);
void stars_add(Inference *inference, struct Stars *stars, StarTarget target);
/* its body binds the name, or one of its functions does by `global` */
bool module_binds(Inference *inference, FileId file, Sym name);
bool is_abstract_method(const FileModel *model, const Func *func);
/* A statement without effect on inference: `pass`, a lone literal (a docstring), a literal assigned to a local. */
bool does_nothing(const FileModel *model, const Stmt *stmt);
bool left_to_subclasses(const FileModel *model, const Func *func);

/* ---- mro.c ---- */
/* A base that only describes a class and adds no members: Generic[T], Protocol, ABC. */
bool says_only(const Inference *inference, EntryId base);
/* The MRO of a class, itself first. An element is id << 1 for a class of the program, id << 1 | 1 for an entry
   of the rulebook. Valid until some class is evaluated. */
const uint32_t *class_order(Inference *inference, GlobalClass class_id, uint32_t *count);
/* What the class's own body, or its methods through self, bind to the name on any instance. */
const Value *own_member(Eval *eval, GlobalClass class_id, Sym name);
const Value *member_along(Eval *eval, GlobalClass class_id, Sym name, const Value *own, ReadMember *read,
                          EntryId *entry);
/* Looks the name up along the MRO. Gives the joined value; *entry is set where a stub class answers. */
const Value *class_member(Eval *eval, GlobalClass class_id, Sym name, EntryId *entry);

/* ---- instance.c ---- */
void write_class_attribute(Inference *inference, GlobalClass class_id, Sym name, const Value *value);
/* Writes an attribute of one instance; of all instances of its class where the allocation site is unknown. */
void write_attribute(Inference *inference, const Alt *instance, Sym name, const Value *value);
/* Records an annotation in a class body, `blob: Tensor`: the attribute's value where no assignment to it is
   seen. */
void declare_member(Inference *inference, GlobalClass class_id, Sym name, const Value *value);
const Value *declared_member(Eval *eval, GlobalClass class_id, Sym name);
bool pays_apart(Inference *inference, GlobalClass class_id);
/* The object that stands for instances made here; 0 = the class is not told apart. */
ObjectId instance_place(Eval *eval, ExprId expr, GlobalClass class_id);
/* As class_member, for an instance: its own attributes come before those of its class. */
const Value *instance_member(Eval *eval, const Alt *instance, Sym name, EntryId *entry);

#endif
