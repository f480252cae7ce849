#ifndef SYNCL_PROJECT_H
#define SYNCL_PROJECT_H
/* Loads paths as a program: finds the Python files, reads and lowers them on several threads, and adds the
   files of the same project that they import. Of such a neighbour only what the given files can reach by name
   is parsed, or all of it where it is small (project_demand.c); the rest are gaps. Never leaves the project:
   site-packages is not searched.

   With `whole_projects`, the other files of a named file's project are read as if they were named too, as far
   as imports connect them with it (project_connect.c). So the program holds the same part whichever file of a
   project is named. Not done where the project has more than PROJECT_ENTRIES entries.

   Fails (NULL, with one line in *error) only when a named path does not exist. What cannot be analysed (a FIFO,
   a file beyond the size limit, binary bytes, no permission, a folder without Python) is listed in
   Program.skipped. The result depends neither on the order of `paths` nor on threads. */
#include "program.h"
#include "inputs.h"
#include "cache.h"

/* What a walk of folders leaves out. Both functions are called with absolute paths. */
typedef struct PathFilter {
    bool (*leave_out)(void *self, Text absolute, bool is_folder);
    bool (*leave_out_named)(void *self, Text absolute); /* for a file that is named itself */
    void *self;
} PathFilter;

/* Most folder entries visited in search of a project's files. Where no file marks the top of the project, the
   folder around may hold anything, so the limit is lower. */
enum { PROJECT_ENTRIES = 100000, UNMARKED_ENTRIES = 5000 };

/* Contents to use for a file instead of what is on disk. */
typedef struct Overlaid {
    Text absolute, bytes;
} Overlaid;

typedef struct ProjectLimits { /* zero in a field = its default */
    uint32_t file_bytes;       /* larger files are skipped; default 8 MiB */
    uint32_t threads;          /* default: as many as team_cores says */
    const char *stdin_name;    /* the name of "-", standard input, which also gives its place in the project;
                                  default "-" */
    uint8_t no_neighbours;     /* 1 = only the named files, not what they import */
    bool whole_projects;       /* analyse each named file together with all files of its project that import it */
    PathFilter filter;         /* none = only the usual folders (.git, build and the like) are skipped */
    const char *const *search_paths; /* further folders in which imports are looked for, last */
    uint32_t search_path_count;
    Inputs *inputs;                /* records what is asked of the file system; NULL = no record */
    const Text *hooks;             /* names of methods that frameworks call (EFF_called) */
    uint32_t hook_count;
    const Overlaid *overlaid;      /* `overlaid_count` files, sorted by path */
    uint32_t overlaid_count;
    const Cache *cache;        /* keeps models of earlier runs; NULL = no cache */
} ProjectLimits;

typedef struct ProjectError {
    Text message;
} ProjectError;

const Program *project_load(Arena *result, const char *const *paths, size_t count, const ProjectLimits *limits,
                            ProjectError *error);

#endif
