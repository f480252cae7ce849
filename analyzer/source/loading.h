#ifndef SYNCL_LOADING_H
#define SYNCL_LOADING_H
/* The state that the project*.c files share. One Loading lives as long as one call of project_load. */
#include "lower.h"
#include "notebook.h"
#include "outline.h"
#include "path.h"
#include "project.h"
#include <sys/types.h>

/* A file on its way into the program. */
typedef struct Source {
    Text path;     /* as reported */
    Text absolute; /* normalised absolute path: the identity of the file */
    Text root;     /* absolute folder that the module name is relative to */
    Text top;      /* absolute top folder of its project: imports are not looked for above it */
    Text module;   /* dotted module name */
    bool reported, is_package, is_stdin;
    bool whole;    /* see SourceFile; set for every reported file */
    Text bytes;
    Notebook *notebook; /* the notebook that `bytes` were extracted from; NULL = `bytes` are the file's own */
    Outline outline;
    VEC(Span) left_out; /* ranges of `bytes` that no wanted definition needs: they are not parsed */
    FileModel *model; /* NULL until lowered, and where the file was skipped */
    Text skipped;     /* why the file was skipped; empty = it was not */
    struct Wanted *wanted; /* which of its definitions are wanted; NULL until the file is read */
    bool cut;         /* some import or definition of it was left out because a limit was reached */
} Source;

typedef struct Folder {               /* facts of one folder; each is asked of the file system once */
    int8_t has_init, is_top, has_src, installs; /* -1 no, 1 yes, 0 not asked */
} Folder;

typedef struct FileKey {
    dev_t device;
    ino_t inode;
} FileKey;

/* An edge of the import graph: the file at node `from` imports the path at node `to`. */
typedef struct Link {
    uint32_t from, to;
} Link;

typedef struct Links {
    Names nodes; /* absolute paths */
    VEC(Link) items;
    uint32_t from; /* node of the file whose imports are being followed */
} Links;

typedef struct Loading {
    Arena *result;
    Arena scratch;
    Arena brief; /* paths built while one import is resolved */
    Arena outlines; /* outlines, until it is decided what is parsed */
    ProjectLimits limits;
    Text current; /* the working folder */
    VEC(Source) sources;
    Names known;         /* absolute paths of sources; id = index in `sources` + 1 */
    Names folder_names;  /* absolute folders */
    VEC(Folder) folders; /* by id - 1 */
    VEC(Text) named;     /* absolute paths of the folders named on the command line */
    Names asked;         /* paths whose kind was asked of the file system */
    VEC(uint32_t) kinds; /* by id - 1: S_IFDIR, S_IFREG, ...; 0 = nothing is there */
    VEC(Skipped) skipped;
    ProjectError *error;
    uint32_t reported; /* sources[0 .. reported) are the reported ones */
    uint32_t given;  /* sources[0 .. given) are the ones read whole */
    Links *links;     /* where to record import edges instead of adding the imported files; NULL = add the files */
    bool incomplete;  /* see Program */
    uint32_t unread; /* see Program */
    uint64_t added_bytes; /* written to the cache */
} Loading;

/* project_find: makes a source of each file under the named paths, once each, in path order; after them, where
   the limits ask for whole projects, the other files of their projects. False: *error is set. */
bool loading_find(Loading *self, const char *const *paths, size_t count);
void loading_skip(Loading *self, Text path, Text reason);

/* project_connect: reads the unreported sources, keeps those that are connected with a reported one by imports,
   and drops the others. */
void loading_connect(Loading *self);
/* Adds a source unless its file is already one. */
void loading_add(Loading *self, Text absolute, bool whole);

/* project_read: loading_read reads and outlines sources[first .. end); loading_lower lowers all sources at the
   end. Both use several threads. */
void loading_read(Loading *self, uint32_t first, uint32_t end);
void loading_lower(Loading *self);

/* project_import: finds the roots, module name and project of a source. */
void loading_place(Loading *self, Source *source);
/* Whether a setup.py or the like in that folder, or in the one above, makes a package of what lies in it. */
bool loading_installs(Loading *self, Text root);
void loading_note_installed(Loading *self, Text folder); /* an installer left its record of a package there */
/* The folder that holds the other files of a source's project; empty = it has none. */
typedef struct Project {
    Text folder;
    bool is_marked; /* the folder has a file that marks the top of a project */
} Project;
Project loading_project(Loading *self, const Source *source);
/* The folders in which a source's absolute imports are looked for, in order. */
typedef struct Roots {
    Text items[64];
    uint32_t count;
} Roots;
void loading_roots(Loading *self, const Source *source, Roots *out);
/* Adds the project's files that an import leads to. Gives the path that it resolves to, without a file's
   suffix, in the scratch arena; empty: it leads to nothing in the project. */
Text loading_import(Loading *self, const Source *source, const Roots *roots, const Token *import);
void loading_imports(Loading *self, uint32_t i); /* the same for every import of sources[i], also those inside
                                                    functions */

/* project_demand: decides which neighbours, and which definitions in them, the run needs. demand_neighbours
   adds the files that sources[first .. end), just read, ask for; demand_close fills Source.left_out. */
typedef struct Demand Demand;
Demand *demand_open(Loading *self);
void demand_neighbours(Demand *self, uint32_t first, uint32_t end);
void demand_close(Demand *self);

/* project_link: makes the Program of the sources. */
const Program *loading_link(Loading *self);

#endif
