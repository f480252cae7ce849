#ifndef SYNCL_ENTRIES_H
#define SYNCL_ENTRIES_H
/* The entry points of a repository: files that are started, and the files that run with each. Takes a linked
   program; owned by the arena. */
#include "program.h"
#include "python_names.h"
#include "rulebook.h"

enum { ENTRIES_MOST = 64 };

typedef struct Entries {
    FileId files[ENTRIES_MOST];
    uint32_t count; /* 0 = more than ENTRIES_MOST, so they are not told apart */
    uint64_t *runs; /* [FileId]: bit set of the entries that run the file */
    uint64_t silent; /* bit set of the entries that run nothing that names a GPU */
} Entries;

/* Whether any of these names stands in the text of the file. */
bool says_any(const FileModel *model, const PythonName *names, size_t count);

const Entries *find_entries(Arena *arena, const Program *program, const Rulebook *book);

/* [FileId]: files that nothing runs: they are not started or loaded by name, and only such files import them. */
const bool *find_strays(Arena *arena, const Program *program);

/* [FileId]: files that only scripts in sight run: such a script itself, and what it imports, unless it is installed
   for others to import. */
const bool *find_own(Arena *arena, const Program *program, const Rulebook *book);

/* Whether some entry point runs both files; true where that is unknown. */
static inline bool entries_share(const Entries *entries, FileId a, FileId b) {
    return !entries->count || !entries->runs[a] || !entries->runs[b] || (entries->runs[a] & entries->runs[b]);
}

#endif
