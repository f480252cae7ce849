#ifndef SYNCL_LOADING_H
#define SYNCL_LOADING_H
/* What the project*.c files share: one Loading lives as long as one project_load call. */
#include "lower.h"
#include "notebook.h"
#include "outline.h"
#include "path.h"
#include "project.h"
#include <sys/types.h>

/* A file on its way into the program. */
typedef struct Source {
    Text path;     /* as reported */
    Text absolute; /* normal form: the file's identity here */
    Text root;     /* absolute folder that its module name is relative to */
    Text top;      /* absolute folder of its project: imports are not looked for above it */
    Text module;   /* dotted */
    bool reported, is_package, is_stdin;
    bool whole;    /* see SourceFile; reported ones are */
    Text bytes;
    Notebook *notebook; /* whose program the bytes are; NULL = the bytes are the file's own */
    Outline outline;
    VEC(Span) left_out; /* of the bytes: what nobody wants parsed */
    FileModel *model; /* NULL until loaded, and when skipped */
    Text skipped;     /* the reason; empty = none */
    struct Wanted *wanted; /* what is asked of it; NULL until it is read */
    bool cut;         /* what it imports, or holds, was not read for want of room */
} Source;

typedef struct Folder {               /* facts of one folder, asked of the file system once */
    int8_t has_init, is_top, has_src; /* -1 no, 1 yes, 0 not asked */
} Folder;

typedef struct FileKey {
    dev_t device;
    ino_t inode;
} FileKey;

/* A file imports what stands at a path: two numbers of `nodes`. */
typedef struct Link {
    uint32_t from, to;
} Link;

typedef struct Links {
    Names nodes; /* absolute paths */
    VEC(Link) items;
    uint32_t from; /* the node that imports */
} Links;

typedef struct Loading {
    Arena *result;
    Arena scratch;
    Arena brief; /* paths made while one import is looked for */
    Arena outlines; /* until it is known what is parsed */
    ProjectLimits limits;
    Text current; /* working folder */
    VEC(Source) sources;
    Names known;         /* absolute paths of sources: id = index + 1 */
    Names folder_names;  /* absolute folders */
    VEC(Folder) folders; /* by id - 1 */
    VEC(Text) named;     /* absolute folders that the run was given */
    Names asked;         /* paths that the file system was asked for */
    VEC(uint32_t) kinds; /* by id - 1: S_IFDIR, S_IFREG, ...; 0 = it is not there */
    VEC(Skipped) skipped;
    ProjectError *error;
    uint32_t reported; /* sources[0 .. reported) are those that are */
    uint32_t given;  /* sources[0 .. given) are those that are whole */
    Links *links;     /* what imports lead to is written down here, and nothing is added; NULL = it is added */
    bool incomplete;  /* see Program */
    uint32_t unread; /* see Program */
    uint64_t added_bytes; /* to the cache */
} Loading;

/* project_find: the files under the named paths become sources, in path order, each file once; behind them those of their
   projects, where the limits ask for these. False: *error set. */
bool loading_find(Loading *self, const char *const *paths, size_t count);
void loading_skip(Loading *self, Text path, Text reason);

/* project_connect: of the sources behind the reported ones, which are read, leaves those that imports connect with one of these,
   read as well. */
void loading_connect(Loading *self);
/* Adds a source unless its file is known. */
void loading_add(Loading *self, Text absolute, bool whole);
Text loading_shown(const Loading *self, Text absolute); /* relative where it lies below the working folder */

/* project_read: reads sources[first .. end) and outlines them; lowers all of them at the end. Both on threads. */
void loading_read(Loading *self, uint32_t first, uint32_t end);
void loading_lower(Loading *self);

/* project_import: roots and module names. */
void loading_place(Loading *self, Source *source);
/* Where the other files of a placed source's project are; no folder: it has none. */
typedef struct Project {
    Text folder;
    bool is_marked; /* as the top of a project */
} Project;
Project loading_project(Loading *self, const Source *source);
/* The folders in which a source's absolute imports are looked for. */
typedef struct Roots {
    Text items[64];
    uint32_t count;
} Roots;
void loading_roots(Loading *self, const Source *source, Roots *out);
/* Adds the files of the project that an import leads to. Gives the path that it ends at, without the suffix of a file;
   empty: nothing of the project. In the scratch arena. */
Text loading_import(Loading *self, const Source *source, const Roots *roots, const Token *import);
void loading_imports(Loading *self, uint32_t i); /* the same of all imports of sources[i], wherever they lead */

/* project_demand: adds the neighbours that sources[first .. end), which were just read, ask for; at last says what of them
   is left out. */
typedef struct Demand Demand;
Demand *demand_open(Loading *self);
void demand_neighbours(Demand *self, uint32_t first, uint32_t end);
void demand_close(Demand *self);

/* project_link: the sources as a Program. */
const Program *loading_link(Loading *self);

#endif
