#ifndef SYNCL_MODULE_H
#define SYNCL_MODULE_H
/* Resolves names and modules: in the files given, then their project, then stubs. A body in the project wins
   over a stub. */
#include "evaluation.h"

const Value *eval_class(Eval *eval, ClassId class_id);
/* In a folder without __init__.py: the module or folder of that name in it. */
const Value *namespace_attribute(Eval *eval, Sym dotted, Sym name);
const Value *module_attribute(Eval *eval, FileId file, Sym name);
const Value *import_value(Eval *eval, const Import *import);
const Value *read_name(Eval *eval, ExprId expr);
const Value *any_definition(Eval *eval, FileId file);
const Value *module_item(Eval *eval, const Alt *module, const Value *index, ExprId index_expr);
const Value *imported_by_name(Eval *eval, const Args *args);

#endif
