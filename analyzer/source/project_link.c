/* Links the loaded files to a Program: path order, one table of names, one table of modules. */
#include "loading.h"
#include <stdlib.h>

static int by_path(const void *a, const void *b) {
    return text_compare(((const Source *)a)->absolute, ((const Source *)b)->absolute);
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
                       .place = path_below(source->absolute, source->top),
                       .is_package = source->is_package,
                       .installed = loading_installs(self, source->root),
                       .reported = source->reported,
                       .whole = source->whole,
                       .reaches_torch = source->cut || source->model->has_torch,
                       .notebook = source->notebook,
                       .gaps = {source->left_out.items, source->left_out.count},
                       .model = source->model};
    file.module = names_intern(&program->names, source->module);
    link_roots(self, program, source, &file);
    program->neighbours += !source->reported;
    vec_push(self->result, &program->files, file);
}

/* ---- modules ---- */

typedef struct ModuleNames {
    VEC(ModuleSlot) items;
} ModuleNames;

/* The file's module name as `import` would write it for a search folder `root`. */
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

/* Its module names: below its own root first, then below each folder up to the project's top. */
static void collect_names(Loading *self, Program *program, const Source *source, FileId id, ModuleNames *out) {
    for (Text root = source->root;; root = path_folder(root)) {
        Sym name = name_below(self, program, source, root);
        ModuleSlot entry = {names_intern(&program->names, root), name, id};
        vec_push(&self->scratch, &out->items, entry);
        if (root.length <= 1 || text_equal(root, source->top)) return;
    }
}

static void link_modules(Loading *self, Program *program) {
    ModuleNames all = {0};
    FileId id = 0;
    for (uint32_t i = 0; i < self->sources.count; i++) {
        const Source *source = &self->sources.items[i];
        if (!source->model) continue;
        collect_names(self, program, source, ++id, &all);
    }
    program_room_for_modules(self->result, program, all.items.count);
    for (uint32_t i = 0; i < all.items.count; i++) program_put_module(program, all.items.items[i]);
}

/* ---- which files reach torch ---- */

typedef struct Edge {
    FileId from, to; /* file `from` imports file `to` */
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

/* Propagates reaches_torch from imported files to importers, over all edges until nothing changes (chains are
   short). A file with parts left out is taken to reach torch. */
static void mark_torch(const Edges *edges, Program *program) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < edges->items.count; i++) {
            SourceFile *from = &program->files.items[edges->items.items[i].from];
            if (from->reaches_torch || !program->files.items[edges->items.items[i].to].reaches_torch) continue;
            from->reaches_torch = changed = true;
        }
    }
}

/* ---- parts ---- */

static FileId first_of(FileId *parts, FileId file) {
    while (parts[file] != file) file = parts[file] = parts[parts[file]];
    return file;
}

static void join(FileId *parts, FileId a, FileId b) {
    FileId x = first_of(parts, a), y = first_of(parts, b);
    parts[x > y ? x : y] = x < y ? x : y;
}

/* A file belongs to the part of every package around it, as Python runs the packages' __init__.py first. */
static void join_package(Loading *self, const Program *program, FileId *parts, FileId file) {
    Text module = names_text(&program->names, program->files.items[file].module);
    while (module.length && module.bytes[module.length - 1] != '.') module.length--;
    if (!module.length) return;
    Edges package = {0};
    add_edge(self, program, file, text_slice(module, 0, module.length - 1), &package);
    if (package.items.count) join(parts, file, package.items.items[0].to);
}

static void find_parts(Loading *self, const Edges *edges, Program *program) {
    FileId *parts = arena_new(self->result, FileId, program->files.count);
    for (FileId file = 1; file < program->files.count; file++) parts[file] = file;
    for (uint32_t i = 0; i < edges->items.count; i++)
        join(parts, edges->items.items[i].from, edges->items.items[i].to);
    for (FileId file = 1; file < program->files.count; file++) join_package(self, program, parts, file);
    for (FileId file = 1; file < program->files.count; file++) parts[file] = first_of(parts, file);
    program->parts = parts;
}

const Program *loading_link(Loading *self) {
    Program *program = arena_new(self->result, Program, 1);
    program->names.arena = self->result;
    if (self->sources.count) qsort(self->sources.items, self->sources.count, sizeof(Source), by_path);
    vec_push(self->result, &program->files, (SourceFile){0});
    for (uint32_t i = 0; i < self->sources.count; i++)
        if (self->sources.items[i].model) link_file(self, program, &self->sources.items[i]);
    link_modules(self, program);
    Edges edges = {0};
    for (FileId file = 1; file < program->files.count; file++) edges_of(self, program, file, &edges);
    mark_torch(&edges, program);
    find_parts(self, &edges, program);
    link_skipped(self, program);
    program->unread = self->unread;
    program->incomplete = self->incomplete || program->unread || program->skipped.count;
    return program;
}
