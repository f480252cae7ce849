#ifndef SYNCL_PROJECT_H
#define SYNCL_PROJECT_H
/* Paths to a Program: finds the Python files, reads and lowers them on threads, and those of the same project that they
   import: of these, what names lead to, and all of it where that is little (project_demand.c). The rest of such a file
   are gaps. Never leaves the project: site-packages is not searched.

   With `whole_projects`, the other files of a named one's project are read as if they were named too, as far as imports
   connect them with it (project_connect.c): whatever of a project is named, the program has the same part. Not where
   the project is larger than PROJECT_ENTRIES.

   Fails (NULL, with one line in *error) only when a named path does not exist. What cannot be analysed (a FIFO, a
   file beyond the size limit, binary bytes, no permission, a folder without Python) is counted in
   Program.skipped. The result does not depend on the order of `paths`, nor on threads. */
#include "program.h"
#include "inputs.h"
#include "cache.h"

/* What a walk leaves out; both are asked with absolute paths. */
typedef struct PathFilter {
    bool (*leave_out)(void *self, Text absolute, bool is_folder);
    bool (*leave_out_named)(void *self, Text absolute); /* a file given by name */
    void *self;
} PathFilter;

/* Entries of folders that are met on the way to a project's files; where nothing marks its top, what is around may be
   anything. */
enum { PROJECT_ENTRIES = 100000, UNMARKED_ENTRIES = 5000 };

/* What a file is taken to hold instead of what lies there. */
typedef struct Overlaid {
    Text absolute, bytes;
} Overlaid;

typedef struct ProjectLimits { /* zero = the default */
    uint32_t file_bytes;       /* larger files are skipped; default 8 MiB */
    uint32_t threads;          /* default: as many as team_cores says */
    const char *stdin_name;    /* what the path "-", standard input, is called: its place in the project; default "-" */
    uint8_t no_neighbours;     /* 1 = only the named files, not what they import */
    bool whole_projects;       /* what is named is analysed as a part of its project: with whatever imports it */
    PathFilter filter;         /* none = only the usual folders are passed over */
    const char *const *search_paths; /* imports are looked for here too, last */
    uint32_t search_path_count;
    Inputs *inputs;                /* writes down what is asked of the file system; NULL = nobody does */
    const Text *hooks;             /* names of methods that frameworks call: see EFF_called */
    uint32_t hook_count;
    const Overlaid *overlaid;      /* overlaid_count of them, by path */
    uint32_t overlaid_count;
    const Cache *cache;        /* where models of earlier runs are; NULL = nowhere */
} ProjectLimits;

typedef struct ProjectError {
    Text message;
} ProjectError;

const Program *project_load(Arena *result, const char *const *paths, size_t count, const ProjectLimits *limits,
                            ProjectError *error);

#endif
