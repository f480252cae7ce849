#ifndef SYNCL_PARTS_H
#define SYNCL_PARTS_H
/* Attributes and parts of objects, as far as no call must be evaluated for them. */
#include "evaluation.h"
#include "python_names.h"

typedef struct Gathered {
    Text prefix, suffix;
    ExprId expr;
    const Value *owner, *value;
    ObjectId object;
} Gathered;

typedef struct Moved {
    Alt part;
    bool any;
} Moved;

enum { NOT_LOOKED, KEEPS_NONE, KEEPS_FIRST };

/* ---- access.c ---- */
const Value *follow_owner(Eval *eval, const Alt *owner, const Value *value); /* a module's parts are on its device */
const Value *device_alt(Eval *eval, Device device, uint8_t belief, OriginId origin);
bool names_place(const Rulebook *book, Text text);
/* An unknown value named `device`: likely the GPU. */
const Value *place_by_name(Eval *eval, ExprId expr, Text name, const Value *value);
const Value *attribute_by_convention(Eval *eval, ExprId expr, Sym name, Kind otherwise);
bool takes_class(Eval *eval, EntryId class_entry, Sym name);
bool has_decorator(Eval *eval, FileId file, const Func *func, PythonName name);
/* The function of a receiver's method, if it can be called without being bound first; 0 = there is none, or it
   is decorated. */
GlobalFunc plain_method(Eval *eval, const Alt *receiver, Sym name);
bool defines_method(Eval *eval, GlobalClass class_id, Sym name, uint32_t depth);
const Value *bind_closure(Eval *eval, ExprId expr, const Alt *closure, const Alt *receiver);
bool counts_rows(const Rulebook *book, Text name);
const Value *batch_part(Eval *eval, const Alt *batch);
const Value *container_attribute(Eval *eval, ExprId expr, const Alt *alt, Sym name);
const Value *device_attribute(Eval *eval, const Alt *alt, Sym name);
bool lacks_attribute(const Eval *eval, const Value *object, const Alt *alt, Sym name);
ItemDoubt doubt_items(Eval *eval, const Value *object); /* until end_doubt */
void end_doubt(Eval *eval, ItemDoubt before);

/* ---- parts.c ---- */
const Value *class_says(Eval *eval, GlobalClass id, Sym name); /* an attribute that no class body gives a value */
const Value *attributes_meant(Eval *eval, const Value *value);
void gather_data(Eval *eval, void *self, Sym name, const Value *value);
/* The literal start or end of a computed name: "loss_" + name, f"{kind}_loss", "net{}".format(i). */
Text literal_part(const Eval *eval, ExprId id, bool end);
void gather_turns(Eval *eval, void *self, Sym name, const Value *value);
bool is_data_record(Eval *eval, GlobalClass class_id);
bool attribute_is_given(Inference *inference, GlobalClass id, Sym name);
/* Its own code makes Parameters of tensors that it has moved to the GPU, so its users need not move it. */
bool moves_parameters(Inference *inference, GlobalClass id);
bool asks_module_parts(const Rulebook *book, Text name);
void gather_moved(Eval *eval, void *self, Sym name, const Value *value);

/* ---- register.c ---- */
uint32_t kept_parameter(const FileModel *model, const Func *func);

/* ---- definitions.c ---- */
bool completes_name(Text module, Text prefix, Text suffix);
bool definitions_suffice(const Value *value);
const Value *own_definition(Eval *eval, FileId file_id);
const Value *own_module(Eval *eval);

#endif
