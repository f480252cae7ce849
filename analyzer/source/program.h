#ifndef SYNCL_PROGRAM_H
#define SYNCL_PROGRAM_H
/* The Program: every file model of one run, linked. Files stand in path order (byte order), so ids and output
   do not depend on the order of arguments or of threads. Owned by the arena it was made in, const afterwards. */
#include "model.h"

typedef uint32_t FileId; /* index into Program.files; 0 = none */

typedef struct SourceFile {
    Text path;          /* as given or found, for opening and for reports: relative stays relative */
    Text bytes;
    Sym module;         /* dotted module name in its project: pkg.sub.mod; a script: its stem */
    Text root;          /* folder that module names are relative to */
    bool is_package;    /* __init__.py: relative imports count from itself */
    bool reported;      /* named on the command line, or found under a folder named there */
    bool whole;         /* read whole, and a start of what is followed: reported, or of the project of one that is */
    bool reaches_torch; /* has_torch, or imports a file of the program that does: without it no tensor can be made here */
    const FileModel *model;
    Gaps gaps;          /* what of the bytes the model leaves out: functions that nobody given asks for */
    const struct Notebook *notebook; /* NULL: the file is Python itself. place.h says where things stand then */
    const Sym *syms;    /* syms[NameId]; NULL until the file's part is linked, see part.h */
    uint32_t func_base, class_base; /* see GlobalFunc; likewise */
    const Sym *roots;   /* folders in which this file's absolute imports are looked for, in order; the first is root */
    uint32_t root_count;
} SourceFile;

/* A function of the program: files[file].func_base + FuncId; likewise for classes. */
typedef uint32_t GlobalFunc;
typedef uint32_t GlobalClass;

typedef struct Skipped {
    Text path;
    Text reason;        /* one short sentence without a final stop */
} Skipped;

/* A name that a file can be imported by, below one of the folders it stands in; root 0 = below any. */
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
    uint32_t unread;         /* definitions and modules that were asked for, and left out for want of room */
    bool incomplete;         /* those, or files of the project that cannot be read: what is not there may be in them */
    ModuleSlot *modules;     /* by open addressing, see program_module */
    uint32_t module_slots;
    const FileId *parts;     /* [FileId]: the first file of the part that it belongs to; NULL in a part itself */
} Program;

/* The file of a dotted module name; 0 = not part of the program. program_import looks only where Python would when
   `importer` runs: two scripts may each have a `utils` beside them. program_module looks everywhere: a file's own
   module name first, then names below the folders around it; of equal ones the first in path order. */
FileId program_module(const Program *program, Sym dotted);
FileId program_import(const Program *program, FileId importer, Sym dotted);
/* The absolute dotted name of what an import names, relative dots resolved; `with_name` adds the imported name, which
   may be a module too. Made in `arena`; empty where the dots lead out of the package. */
Text program_import_name(Arena *arena, const Program *program, FileId importer, const Import *import, bool with_name);
/* Whether a file has one of these words as a name or a text, or somewhere in its gaps. */
bool program_mentions(const Program *program, const Text *words, size_t count);
FileId program_file_of_func(const Program *program, GlobalFunc func);
FileId program_file_of_class(const Program *program, GlobalClass class_id);
const SourceFile *program_class_file(const Program *program, GlobalClass class_id);

/* While it is made: so many names of modules at most, and one of them; of equal ones the first stays. */
void program_room_for_modules(Arena *arena, Program *program, uint32_t count);
void program_put_module(Program *program, ModuleSlot module);

#endif
