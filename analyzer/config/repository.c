#include "repository.h"
#include "path.h"
#include <unistd.h>

enum { PATH_LIMIT = 4096 };

static bool has_git(Arena *arena, Inputs *inputs, Text folder) {
    return inputs_kind(inputs, arena, path_join(arena, folder, TEXT(".git"))) != 0;
}

Repository repository_find(Arena *result, Inputs *inputs) {
    char *current = arena_alloc(result, PATH_LIMIT);
    Repository repository = {.current = TEXT("/"), .root = TEXT("/")};
    if (getcwd(current, PATH_LIMIT)) repository.current = repository.root = text_of(current);
    for (Text folder = repository.current; folder.length > 1; folder = path_folder(folder))
        if (has_git(result, inputs, folder))
            return repository.root = folder, repository.found = true, repository;
    return repository;
}

Text repository_path(Arena *result, const Repository *repository, Text path) {
    Text absolute = path_absolute(result, repository->current, path);
    return path_is_below(absolute, repository->root) ? path_below(absolute, repository->root) : absolute;
}
