#include "project.h"
#include "loading.h"
#include <errno.h>
#include <unistd.h>

enum { PATH_BYTES = 16384 };

static void read_wave(Loading *self, uint32_t first, uint32_t end) {
    loading_read(self, first, end);
    for (uint32_t i = first; i < end; i++) loading_place(self, &self->sources.items[i]);
}

/* Loads in waves: the files just read name the files to read next, until none is new. Only then is it known
   which functions are parsed. */
static void load_all(Loading *self) {
    Demand *demand = demand_open(self);
    read_wave(self, 0, self->reported);
    if (self->reported < self->sources.count) loading_connect(self);
    self->given = self->sources.count;
    for (uint32_t first = 0; first < self->sources.count;) {
        uint32_t end = self->sources.count;
        if (first) read_wave(self, first, end);
        if (!self->limits.no_neighbours) demand_neighbours(demand, first, end);
        first = end;
    }
    demand_close(demand);
    arena_free(&self->outlines); /* frees memory that lowering will need */
    loading_lower(self);
    if (self->limits.cache) cache_trim(self->limits.cache, self->added_bytes);
}

const Program *project_load(Arena *result, const char *const *paths, size_t count, const ProjectLimits *limits,
                            ProjectError *error) {
    Loading self = {.result = result, .error = error};
    if (limits) self.limits = *limits;
    self.known.arena = self.folder_names.arena = self.asked.arena = &self.scratch;
    char *current = arena_alloc(&self.scratch, PATH_BYTES);
    const Program *program = NULL;
    if (!getcwd(current, PATH_BYTES)) {
        error->message = text_format(result, "cannot tell the working folder: %s", strerror(errno));
    } else {
        self.current = text_of(current);
        if (loading_find(&self, paths, count)) {
            load_all(&self);
            program = loading_link(&self);
        }
    }
    arena_free(&self.brief);
    arena_free(&self.outlines);
    arena_free(&self.scratch);
    return program;
}
