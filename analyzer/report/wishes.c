#include "wishes.h"
#include "path.h"

const Selection *wishes_by_file(Arena *result, const Program *program, const Rulebook *book, Settings *settings,
                                Text current, Text *error) {
    Selection *by_file = arena_new(result, Selection, program->files.count + 1u);
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        if (!file->reported) continue;
        RuleWishes wishes = settings_rules(settings, path_absolute(result, current, file->path));
        if (!selection_make(result, book, wishes.layers, wishes.count, &wishes.ignored_here, &by_file[id],
                            error))
            return NULL;
    }
    return by_file;
}
