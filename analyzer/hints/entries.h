#ifndef SYNCL_ENTRIES_H
#define SYNCL_ENTRIES_H
/* The programs of a repository: files that are started, and what runs with each. Takes a linked program, const; owned by the arena. */
#include "program.h"
#include "rulebook.h"

enum { ENTRIES_MOST = 64 };

typedef struct Entries {
    FileId files[ENTRIES_MOST];
    uint32_t count; /* 0 = more than are told apart */
    uint64_t *runs; /* [FileId]: a bit for each of them that runs the file */
    uint64_t silent; /* those that run nothing that names a GPU */
} Entries;

const Entries *find_entries(Arena *arena, const Program *program, const Rulebook *book);

/* [FileId] files that nothing runs: none of them is started or loaded by its name, and what imports them is of the same kind. */
const bool *find_strays(Arena *arena, const Program *program);

/* Some program runs both files; also where that is not known. */
static inline bool entries_share(const Entries *entries, FileId a, FileId b) {
    return !entries->count || !entries->runs[a] || !entries->runs[b] || (entries->runs[a] & entries->runs[b]);
}

#endif
