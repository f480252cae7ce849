/* Finds the files of a project that are connected with the reported ones: by imports in either direction, or by
   a common package. This over-approximates a part of the program (part.h): a name is looked for in every folder
   where it may be, and imports are recognised by tokens alone. */
#include "loading.h"

static uint32_t first_of(uint32_t *above, uint32_t node) {
    while (above[node] != node) node = above[node] = above[above[node]];
    return node;
}

static void link_source(Loading *self, Links *links, uint32_t i) {
    const Source *source = &self->sources.items[i];
    Text folder = path_folder(source->absolute);
    if (source->is_package) folder = path_folder(folder);
    links->from = names_intern(&links->nodes, source->absolute);
    loading_imports(self, i);
    Text package = path_join(&self->scratch, folder, TEXT("__init__.py"));
    if (!names_find(&self->known, package)) return;
    Link link = {links->from, names_intern(&links->nodes, package)};
    vec_push(&self->scratch, &links->items, link);
}

/* Union-find: [node] is the smallest node of its connected component. */
static uint32_t *components(Arena *scratch, const Links *links) {
    uint32_t *above = arena_new(scratch, uint32_t, links->nodes.texts.count + 1u);
    for (uint32_t node = 0; node <= links->nodes.texts.count; node++) above[node] = node;
    for (uint32_t i = 0; i < links->items.count; i++)
        above[first_of(above, links->items.items[i].from)] = first_of(above, links->items.items[i].to);
    return above;
}

static void keep_connected(Loading *self, const Links *links) {
    uint32_t *above = components(&self->scratch, links), kept = 0;
    bool *reported = arena_new(&self->scratch, bool, links->nodes.texts.count + 1u);
    for (uint32_t i = 0; i < self->sources.count; i++)
        reported[first_of(above, names_find(&links->nodes, self->sources.items[i].absolute))] |=
            self->sources.items[i].reported;
    self->known = (Names){.arena = &self->scratch};
    for (uint32_t i = 0; i < self->sources.count; i++) {
        Source source = self->sources.items[i];
        self->incomplete |= source.skipped.length > 0;
        if (!reported[first_of(above, names_find(&links->nodes, source.absolute))]) continue;
        self->sources.items[kept++] = source;
        names_intern(&self->known, source.absolute);
    }
    self->sources.count = kept;
}

/* Reads the sources for their imports only: bytes and outlines go to arenas that are freed afterwards. */
static void read_temporarily(Loading *self, Arena *bytes, Arena *outlines) {
    Arena *result = self->result, kept = self->outlines;
    self->result = bytes, self->outlines = *outlines;
    loading_read(self, self->reported, self->sources.count);
    *outlines = self->outlines;
    self->result = result, self->outlines = kept;
}

static void read_again(Loading *self) {
    for (uint32_t i = self->reported; i < self->sources.count; i++) {
        const Source *source = &self->sources.items[i];
        self->sources.items[i] = (Source){.path = source->path,
                                          .absolute = source->absolute,
                                          .root = source->root,
                                          .top = source->top,
                                          .module = source->module,
                                          .is_package = source->is_package,
                                          .whole = true};
    }
    loading_read(self, self->reported, self->sources.count);
}

void loading_connect(Loading *self) {
    Links links = {.nodes = {.arena = &self->scratch}};
    Arena bytes = {0}, outlines = {0};
    read_temporarily(self, &bytes, &outlines);
    for (uint32_t i = self->reported; i < self->sources.count; i++)
        loading_place(self, &self->sources.items[i]);
    self->links = &links;
    for (uint32_t i = 0; i < self->sources.count; i++) link_source(self, &links, i);
    self->links = NULL;
    uint32_t looked_at = self->sources.count - self->reported;
    keep_connected(self, &links);
    if (2 * (self->sources.count - self->reported) >= looked_at) {
        arena_adopt(self->result, &bytes);
        arena_adopt(&self->outlines, &outlines);
        return;
    }
    arena_free(&bytes);
    arena_free(&outlines);
    read_again(self);
}
