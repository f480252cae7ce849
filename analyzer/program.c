#include "program.h"

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

FileId program_module(const Program *program, Sym dotted) { return find(program, 0, dotted); }

FileId program_import(const Program *program, FileId importer, Sym dotted) {
    const SourceFile *file = &program->files.items[importer];
    for (uint32_t i = 0; i < file->root_count; i++) {
        FileId found = find(program, file->roots[i], dotted);
        if (found) return found;
    }
    return 0;
}

/* The last file whose base is below the id: bases grow with the files. */
FileId program_file_of_func(const Program *program, GlobalFunc func) {
    FileId low = 0, high = program->files.count;
    while (func && high - low > 1) {
        FileId middle = low + (high - low) / 2;
        if (program->files.items[middle].func_base < func)
            low = middle;
        else
            high = middle;
    }
    return low;
}

FileId program_file_of_class(const Program *program, GlobalClass class_id) {
    FileId low = 0, high = program->files.count;
    while (class_id && high - low > 1) {
        FileId middle = low + (high - low) / 2;
        if (program->files.items[middle].class_base < class_id)
            low = middle;
        else
            high = middle;
    }
    return low;
}
