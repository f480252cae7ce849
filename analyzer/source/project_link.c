/* The loaded files as a Program: path order, one table of names, one of modules. */
#include "loading.h"
#include <stdlib.h>

static int by_path(const void *a, const void *b) {
    return text_compare(((const Source *)a)->path, ((const Source *)b)->path);
}

static int by_skipped_path(const void *a, const void *b) {
    const Skipped *x = a, *y = b;
    int order = text_compare(x->path, y->path);
    return order ? order : text_compare(x->reason, y->reason);
}

static void link_skipped(Loading *self, Program *program) {
    for (uint32_t i = 0; i < self->sources.count; i++) {
        const Source *source = &self->sources.items[i];
        if (!source->model) loading_skip(self, source->path, source->skipped);
    }
    if (self->skipped.count) qsort(self->skipped.items, self->skipped.count, sizeof(Skipped), by_skipped_path);
    for (uint32_t i = 0; i < self->skipped.count; i++)
        vec_push(self->result, &program->skipped, self->skipped.items[i]);
}

static const Sym *link_names(Loading *self, Program *program, const FileModel *model) {
    Sym *syms = arena_new(self->result, Sym, model->names.count);
    for (NameId name = 1; name < model->names.count; name++)
        syms[name] = names_keep(&program->names, model->names.items[name]); /* the program owns the model */
    return syms;
}

static void link_roots(Loading *self, Program *program, const Source *source, SourceFile *file) {
    Roots roots;
    loading_roots(self, source, &roots);
    Sym *syms = arena_new(self->result, Sym, roots.count);
    for (uint32_t i = 0; i < roots.count; i++) syms[i] = names_intern(&program->names, roots.items[i]);
    file->roots = syms;
    file->root_count = roots.count;
}

static void link_file(Loading *self, Program *program, const Source *source) {
    SourceFile file = {.path = source->path,
                       .bytes = source->bytes,
                       .root = source->root,
                       .is_package = source->is_package,
                       .reported = source->reported,
                       .reaches_torch = source->cut || source->model->has_torch,
                       .notebook = source->notebook,
                       .gaps = {source->left_out.items, source->left_out.count},
                       .model = source->model};
    file.func_base = program->func_count;
    file.class_base = program->class_count;
    program->func_count += source->model->funcs.count - 1;
    program->class_count += source->model->classes.count - 1;
    file.module = names_intern(&program->names, source->module);
    file.syms = link_names(self, program, source->model);
    link_roots(self, program, source, &file);
    program->neighbours += !source->reported;
    vec_push(self->result, &program->files, file);
}

/* ---- modules ---- */

typedef struct ModuleNames {
    VEC(ModuleSlot) items;
} ModuleNames;

static void put(Program *program, ModuleSlot entry) {
    uint32_t mask = program->module_slots - 1, hash = (entry.root * 0x9E3779B1u) ^ (entry.name * 0x85EBCA77u);
    uint32_t slot = (hash ^ hash >> 15) & mask;
    for (; program->modules[slot].file; slot = (slot + 1) & mask) {
        const ModuleSlot *other = &program->modules[slot];
        if (other->root == entry.root && other->name == entry.name) return; /* the first one stays */
    }
    program->modules[slot] = entry;
}

/* The file's name below `root`, as `import` would write it. */
static Sym name_below(Loading *self, Program *program, const Source *source, Text root) {
    Text below = path_below(source->absolute, root);
    if (text_ends(below, TEXT("/__init__.py")))
        below.length -= 12;
    else if (text_ends(below, TEXT(".py")))
        below.length -= 3;
    char *bytes = arena_copy(&self->scratch, below.bytes, below.length);
    for (uint32_t i = 0; i < below.length; i++)
        if (bytes[i] == '/') bytes[i] = '.';
    return names_intern(&program->names, (Text){bytes, below.length});
}

/* Below its own root first, then below each folder up to the project's top. */
static void collect_names(Loading *self, Program *program, const Source *source, FileId id, ModuleNames *out) {
    for (Text root = source->root;; root = path_folder(root)) {
        Sym name = name_below(self, program, source, root);
        ModuleSlot entry = {names_intern(&program->names, root), name, id};
        vec_push(&self->scratch, &out->items, entry);
        if (root.length <= 1 || text_equal(root, source->top)) return;
    }
}

static void link_modules(Loading *self, Program *program) {
    ModuleNames own = {0}, all = {0};
    FileId id = 0;
    for (uint32_t i = 0; i < self->sources.count; i++) {
        const Source *source = &self->sources.items[i];
        if (!source->model) continue;
        id++; /* apart: the order within an initializer is the compiler's */
        ModuleSlot entry = {0, program->files.items[id].module, id};
        vec_push(&self->scratch, &own.items, entry);
        collect_names(self, program, source, id, &all);
    }
    program->module_slots = 64;
    while (program->module_slots < (own.items.count + all.items.count * 2) * 2) program->module_slots *= 2;
    program->modules = arena_new(self->result, ModuleSlot, program->module_slots);
    for (uint32_t i = 0; i < own.items.count; i++) put(program, own.items.items[i]);
    for (uint32_t i = 0; i < all.items.count; i++) put(program, all.items.items[i]);
    for (uint32_t i = 0; i < all.items.count; i++) {
        all.items.items[i].root = 0;
        put(program, all.items.items[i]);
    }
}

/* ---- what reaches torch ---- */

typedef struct Edge {
    FileId from, to; /* from imports to */
} Edge;

typedef struct Edges {
    VEC(Edge) items;
} Edges;

static void add_edge(Loading *self, const Program *program, FileId file, Text dotted, Edges *out) {
    Sym name = dotted.length ? names_find(&program->names, dotted) : 0;
    FileId to = name ? program_import(program, file, name) : 0;
    if (to) vec_push(&self->scratch, &out->items, ((Edge){file, to}));
}

static void edges_of(Loading *self, const Program *program, FileId file, Edges *out) {
    const FileModel *model = program->files.items[file].model;
    for (uint32_t i = 1; i < model->imports.count; i++) {
        const Import *import = &model->imports.items[i];
        add_edge(self, program, file, program_import_name(&self->scratch, program, file, import, false), out);
        if (import->name)
            add_edge(self, program, file, program_import_name(&self->scratch, program, file, import, true),
                     out);
    }
}

/* An importer reaches what it imports; what is not read of that is taken to reach it. Passes over all edges until none adds a file: chains are short. */
static void mark_torch(Loading *self, Program *program) {
    Edges edges = {0};
    for (FileId file = 1; file < program->files.count; file++) { edges_of(self, program, file, &edges); }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < edges.items.count; i++) {
            SourceFile *from = &program->files.items[edges.items.items[i].from];
            if (from->reaches_torch || !program->files.items[edges.items.items[i].to].reaches_torch) continue;
            from->reaches_torch = changed = true;
        }
    }
}

const Program *loading_link(Loading *self) {
    Program *program = arena_new(self->result, Program, 1);
    program->names.arena = self->result;
    if (self->sources.count) qsort(self->sources.items, self->sources.count, sizeof(Source), by_path);
    vec_push(self->result, &program->files, (SourceFile){0});
    for (uint32_t i = 0; i < self->sources.count; i++)
        if (self->sources.items[i].model) link_file(self, program, &self->sources.items[i]);
    link_modules(self, program);
    mark_torch(self, program);
    link_skipped(self, program);
    program->unread = self->unread;
    return program;
}
