#include "part.h"
#include <stdlib.h>

/* Items grouped by part: those of the part whose first file is f are items[starts[f]] to items[starts[f + 1]]. */
typedef struct Grouped {
    FileId *files;
    ModuleSlot *modules;
    uint32_t *file_starts, *module_starts;
} Grouped;

static void add_up(uint32_t *counts, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) counts[i] += counts[i - 1];
}

static Grouped group(Arena *arena, const Program *whole) {
    uint32_t count = whole->files.count, slots = 0;
    Grouped grouped = {.file_starts = arena_new(arena, uint32_t, count + 1),
                       .module_starts = arena_new(arena, uint32_t, count + 1)};
    for (FileId file = 1; file < count; file++) grouped.file_starts[whole->parts[file] + 1]++;
    for (uint32_t i = 0; i < whole->module_slots; i++) {
        FileId file = whole->modules[i].file;
        if (file) grouped.module_starts[whole->parts[file] + 1]++, slots++;
    }
    add_up(grouped.file_starts, count + 1);
    add_up(grouped.module_starts, count + 1);
    grouped.files = arena_new(arena, FileId, count);
    grouped.modules = arena_new(arena, ModuleSlot, slots + 1);
    uint32_t *next_file = arena_copy(arena, grouped.file_starts, sizeof(uint32_t) * (count + 1));
    uint32_t *next_module = arena_copy(arena, grouped.module_starts, sizeof(uint32_t) * (count + 1));
    for (FileId file = 1; file < count; file++) grouped.files[next_file[whole->parts[file]]++] = file;
    for (uint32_t i = 0; i < whole->module_slots; i++) {
        FileId file = whole->modules[i].file;
        if (file) grouped.modules[next_module[whole->parts[file]]++] = whole->modules[i];
    }
    return grouped;
}

Parts program_parts(Arena *arena, const Program *whole) {
    Parts parts = {0};
    Grouped grouped = group(arena, whole);
    for (FileId first = 1; first < whole->files.count; first++) {
        if (whole->parts[first] != first) continue;
        Part part = {.files = grouped.files + grouped.file_starts[first],
                     .count = grouped.file_starts[first + 1] - grouped.file_starts[first],
                     .modules = grouped.modules + grouped.module_starts[first],
                     .module_count = grouped.module_starts[first + 1] - grouped.module_starts[first]};
        bool reported = false;
        for (uint32_t i = 0; i < part.count; i++) {
            const SourceFile *file = &whole->files.items[part.files[i]];
            reported |= file->reported;
            if (file->whole && file->reaches_torch) part.exprs += file->model->exprs.count;
        }
        if (part.exprs && reported) vec_push(arena, &parts.items, part);
    }
    return parts;
}

/* Interns without copying: the text belongs to the whole program, which outlives the part. */
static Sym sym_of(Program *part, const Program *whole, Sym sym) {
    return sym ? names_keep(&part->names, names_text(&whole->names, sym)) : 0;
}

static void link_names(Arena *arena, Program *program, SourceFile *file) {
    const FileModel *model = file->model;
    Sym *syms = arena_new(arena, Sym, model->names.count);
    for (NameId name = 1; name < model->names.count; name++)
        syms[name] = names_keep(&program->names, model->names.items[name]);
    file->syms = syms;
}

static void link_file(Arena *arena, Program *program, const Program *whole, FileId id) {
    SourceFile file = whole->files.items[id];
    Sym *roots = arena_new(arena, Sym, file.root_count);
    for (uint32_t i = 0; i < file.root_count; i++) roots[i] = sym_of(program, whole, file.roots[i]);
    file.roots = roots;
    file.module = sym_of(program, whole, file.module);
    file.func_base = program->func_count;
    file.class_base = program->class_count;
    program->func_count += file.model->funcs.count - 1;
    program->class_count += file.model->classes.count - 1;
    program->neighbours += !file.reported;
    link_names(arena, program, &file);
    vec_push(arena, &program->files, file);
}

static int by_id(const void *a, const void *b) {
    FileId x = *(const FileId *)a, y = *(const FileId *)b;
    return (x > y) - (x < y);
}

static void link_modules(Arena *arena, Program *program, const Program *whole, const Part *part) {
    program_room_for_modules(arena, program, part->module_count);
    for (uint32_t i = 0; i < part->module_count; i++) {
        const ModuleSlot *slot = &part->modules[i];
        const FileId *at = bsearch(&slot->file, part->files, part->count, sizeof(FileId), by_id);
        ModuleSlot own = {.file = (FileId)(at - part->files) + 1};
        own.root = sym_of(program, whole, slot->root);
        own.name = sym_of(program, whole, slot->name);
        program_put_module(program, own);
    }
}

Program *program_of_part(Arena *arena, const Program *whole, const Part *part) {
    Program *program = arena_new(arena, Program, 1);
    program->names.arena = arena;
    program->skipped = whole->skipped;
    program->unread = whole->unread;
    program->incomplete = whole->incomplete;
    vec_push(arena, &program->files, (SourceFile){0});
    for (uint32_t i = 0; i < part->count; i++) link_file(arena, program, whole, part->files[i]);
    link_modules(arena, program, whole, part);
    return program;
}

Program *program_linked(Arena *arena, const Program *whole) {
    Part all = {.count = whole->files.count - 1};
    FileId *files = arena_new(arena, FileId, all.count);
    ModuleSlot *modules = arena_new(arena, ModuleSlot, whole->module_slots);
    for (uint32_t i = 0; i < all.count; i++) files[i] = i + 1;
    for (uint32_t i = 0; i < whole->module_slots; i++)
        if (whole->modules[i].file) modules[all.module_count++] = whole->modules[i];
    all.files = files;
    all.modules = modules;
    return program_of_part(arena, whole, &all);
}
