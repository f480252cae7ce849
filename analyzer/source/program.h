#ifndef SYNCL_PROGRAM_H
#define SYNCL_PROGRAM_H
/* The program: all file models of one run, linked. Files stand in path order (bytewise), so ids and output
   depend neither on the order of arguments nor on threads. Owned by the arena it was made in; const afterwards. */
#include "model.h"

typedef uint32_t FileId; /* index into Program.files; 0 = none */

typedef struct SourceFile {
    Text path;          /* as given or found, for opening and for reports: relative stays relative */
    Text bytes;
    Sym module;         /* dotted module name within its project, e.g. pkg.sub.mod; a script's is its stem */
    Text root;          /* folder that module names are relative to */
    Text place;         /* its path below the top of its project, whatever is named */
    bool is_package;    /* an __init__.py: relative imports start at the module itself */
    bool installed;     /* a setup.py or the like stands beside its root or above: others may import it */
    bool reported;      /* named on the command line, or found under a folder named there */
    bool whole;         /* read whole and analysed from its top: reported, or connected by imports with a reported
                           file of its project */
    bool reaches_torch; /* has_torch, or imports a file of the program that reaches torch; without it no tensor can
                           be made here */
    const FileModel *model;
    Gaps gaps;          /* byte ranges that the model leaves out: functions that no file read whole asks for */
    const struct Notebook *notebook; /* NULL: the file is plain Python; else place.h converts its positions */
    const Sym *syms;    /* syms[NameId]; NULL until its part is linked (part.h) */
    uint32_t func_base, class_base; /* see GlobalFunc; 0 until its part is linked */
    const Sym *roots;   /* folders in which this file's absolute imports are looked for, in order; the first is root */
    uint32_t root_count;
} SourceFile;

/* The id of a function in the whole program: files[file].func_base + FuncId. Likewise for classes. */
typedef uint32_t GlobalFunc;
typedef uint32_t GlobalClass;

typedef struct Skipped {
    Text path;
    Text reason;        /* one short clause without a full stop */
} Skipped;

/* A dotted name by which a file can be imported, and the folder that imports look in for it; root 0 = any
   folder. */
typedef struct ModuleSlot {
    Sym root, name;
    FileId file;
} ModuleSlot;

typedef struct Program {
    Names names;
    VEC(SourceFile) files;   /* files.items[0] unused */
    VEC(Skipped) skipped;    /* in path order */
    uint32_t func_count, class_count;
    uint32_t neighbours;     /* files that are not reported */
    uint32_t unread;         /* definitions and modules that were asked for, but left out because a limit was reached */
    bool incomplete;         /* something was left out so, or a file of the project could not be read: a missing
                                definition may exist there */
    ModuleSlot *modules;     /* hash table with open addressing, see program_import */
    uint32_t module_slots;
    const FileId *parts;     /* [FileId]: the first file of the part that the file belongs to; NULL in the program
                                of a part */
} Program;

/* The file of a dotted module name; 0 = not in the program. Looks only where Python would look when `importer`
   runs, as two scripts may each have a `utils` beside them. */
FileId program_import(const Program *program, FileId importer, Sym dotted);
/* The absolute dotted name that an import names, with relative dots resolved. `with_name` appends the imported
   name, which may itself be a module. Made in `arena`; empty where the dots lead out of the package. */
Text program_import_name(Arena *arena, const Program *program, FileId importer, const Import *import, bool with_name);
/* Whether a file has one of these words as a name or string, or anywhere in its gaps. */
bool program_mentions(const Program *program, const Text *words, size_t count);
FileId program_file_of_func(const Program *program, GlobalFunc func);
FileId program_file_of_class(const Program *program, GlobalClass class_id);
const SourceFile *program_class_file(const Program *program, GlobalClass class_id);

/* For building a program: makes room for `count` module names; adds one. The first of equal names is kept. */
void program_room_for_modules(Arena *arena, Program *program, uint32_t count);
void program_put_module(Program *program, ModuleSlot module);

#endif
