#include "program.h"
#include "search.h"

static uint32_t slot_of(const Program *program, Sym root, Sym name) {
    uint32_t mask = program->module_slots - 1, hash = (root * 0x9E3779B1u) ^ (name * 0x85EBCA77u);
    uint32_t slot = (hash ^ hash >> 15) & mask;
    while (program->modules[slot].file &&
           (program->modules[slot].root != root || program->modules[slot].name != name))
        slot = (slot + 1) & mask;
    return slot;
}

static FileId find(const Program *program, Sym root, Sym name) {
    return program->module_slots && name ? program->modules[slot_of(program, root, name)].file : 0;
}

FileId program_import(const Program *program, FileId importer, Sym dotted) {
    const SourceFile *file = &program->files.items[importer];
    for (uint32_t i = 0; i < file->root_count; i++) {
        FileId found = find(program, file->roots[i], dotted);
        if (found) return found;
    }
    return 0;
}

/* The package that a relative import starts from: the importer itself if it is a package, else its parent; each
   further dot goes up one package. */
static bool base_of(const Program *program, const SourceFile *file, uint32_t dots, Text *base) {
    *base = names_text(&program->names, file->module);
    for (uint32_t up = file->is_package ? 1 : 0; up < dots; up++) {
        if (!base->length) return false;
        while (base->length && base->bytes[base->length - 1] != '.') base->length--;
        if (base->length) base->length--;
    }
    return true;
}

static Text dotted_join(Arena *arena, Text a, Text b) {
    if (!a.length || !b.length) return a.length ? a : b;
    char *joined = arena_alloc(arena, (size_t)a.length + 1 + b.length); /* hot: text_format is too slow */
    memcpy(joined, a.bytes, a.length);
    joined[a.length] = '.';
    memcpy(joined + a.length + 1, b.bytes, b.length);
    return (Text){joined, a.length + 1 + b.length};
}

Text program_import_name(Arena *arena, const Program *program, FileId importer, const Import *import,
                         bool with_name) {
    const SourceFile *file = &program->files.items[importer];
    Text base = {0};
    if (import->dots && !base_of(program, file, import->dots, &base)) return (Text){0};
    Text dotted = dotted_join(arena, base, model_name(file->model, import->module));
    return with_name ? dotted_join(arena, dotted, model_name(file->model, import->name)) : dotted;
}

static bool holds_word(Text bytes, Text word) {
    const char *end = bytes.bytes + bytes.length, *at = bytes.bytes;
    while ((at = memchr(at, word.bytes[0], (size_t)(end - at))) && (size_t)(end - at) >= word.length) {
        const char *after = at + word.length;
        bool whole = (at == bytes.bytes || !text_is_word(at[-1])) && (after == end || !text_is_word(*after));
        if (whole && memcmp(at, word.bytes, word.length) == 0) return true;
        at++;
    }
    return false;
}

static bool file_mentions(const SourceFile *file, const Text *words, size_t count) {
    for (NameId name = 1; name < file->model->names.count; name++)
        for (size_t w = 0; w < count; w++)
            if (text_equal(file->model->names.items[name], words[w])) return true;
    for (uint32_t i = 0; i < file->gaps.count; i++)
        for (size_t w = 0; w < count; w++)
            if (holds_word(text_slice(file->bytes, file->gaps.items[i].start, file->gaps.items[i].end),
                           words[w]))
                return true;
    return false;
}

bool program_mentions(const Program *program, const Text *words, size_t count) {
    for (FileId id = 1; id < program->files.count; id++)
        if (file_mentions(&program->files.items[id], words, count)) return true;
    return false;
}

void program_room_for_modules(Arena *arena, Program *program, uint32_t count) {
    program->module_slots = 64;
    while (program->module_slots < count * 2) program->module_slots *= 2;
    program->modules = arena_new(arena, ModuleSlot, program->module_slots);
}

void program_put_module(Program *program, ModuleSlot module) {
    ModuleSlot *slot = &program->modules[slot_of(program, module.root, module.name)];
    if (!slot->file) *slot = module;
}

/* The last file whose base is below the id: bases ascend with the files. */
FileId program_file_of_func(const Program *program, GlobalFunc func) {
    return LAST_BELOW(program->files.items, program->files.count, func_base, func);
}

FileId program_file_of_class(const Program *program, GlobalClass class_id) {
    return LAST_BELOW(program->files.items, program->files.count, class_base, class_id);
}

const SourceFile *program_class_file(const Program *program, GlobalClass class_id) {
    FileId file = program_file_of_class(program, class_id);
    return &program->files.items[file];
}
