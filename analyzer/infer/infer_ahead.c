/* What a program's text says whatever goes through it, found ahead of the inference by another thread. Who finds it and when
   changes nothing but the time it takes: what is not there yet when inference asks for it, inference finds itself. */
#include "interpret.h"
#include "team.h"
#include <stdatomic.h>

enum { LEAST_EXPRS = 1 << 15 }; /* below that all of it is done in a millisecond */

typedef _Atomic(const uint32_t *) UsesFound;

struct Ahead {
    const Inference *inference;
    uint32_t names;             /* when it began: inference adds more, which no file has */
    Arena kept, loose, scratch; /* loose: until inference is done */
    UsesFound *uses;            /* [GlobalFunc] */
    _Atomic(const uint8_t *) makers;
    _Atomic(const bool *) named;
    _Atomic(Mentioned *) mentioned;
    atomic_bool over;
};

const uint32_t *ahead_uses(const Inference *inference, GlobalFunc func) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->uses[func], memory_order_acquire) : NULL;
}

const uint8_t *ahead_makers(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->makers, memory_order_acquire) : NULL;
}

const bool *ahead_named(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->named, memory_order_acquire) : NULL;
}

Mentioned *ahead_mentioned(const Inference *inference) {
    Ahead *ahead = inference->ahead;
    return ahead ? atomic_load_explicit(&ahead->mentioned, memory_order_acquire) : NULL;
}

static void find_uses(Ahead *self, FileId file) {
    const SourceFile *source = &self->inference->program->files.items[file];
    for (FuncId func = 1; source->reaches_torch && func < source->model->funcs.count; func++) {
        const uint32_t *uses = uses_in_text(&self->kept, &self->scratch, self->inference, file, func);
        atomic_store_explicit(&self->uses[source->func_base + func], uses, memory_order_release);
        arena_reset(&self->scratch);
    }
}

/* In the order in which inference asks. */
static void look_ahead(Ahead *self) {
    const Program *program = self->inference->program;
    atomic_store_explicit(&self->makers, instance_makers(&self->kept, program, self->names),
                          memory_order_release);
    for (FileId file = 1; file < program->files.count && !atomic_load(&self->over); file++)
        find_uses(self, file);
    if (atomic_load(&self->over)) return;
    atomic_store_explicit(&self->named, find_named(&self->kept, program), memory_order_release);
    atomic_store_explicit(&self->mentioned, find_mentioned(&self->loose, program, self->names),
                          memory_order_release);
}

typedef struct Member {
    Ahead *ahead;
    Inference *inference; /* NULL = who looks ahead */
    InferBody *body;
} Member;

static void run(void *member) {
    const Member *self = member;
    if (!self->inference) {
        look_ahead(self->ahead);
        return;
    }
    self->body(self->inference);
    atomic_store(&self->ahead->over, true);
}

void ahead_run(Inference *inference, InferBody *body, uint32_t threads, uint32_t exprs) {
    if (threads == 1 || exprs < LEAST_EXPRS) {
        body(inference);
        return;
    }
    Ahead ahead = {.inference = inference, .names = inference->program->names.texts.count + 1};
    ahead.uses = arena_new(&ahead.loose, UsesFound, inference->program->func_count + 1);
    inference->ahead = &ahead;
    Member members[2] = {{.ahead = &ahead, .inference = inference, .body = body}, {.ahead = &ahead}};
    team_run(run, members, sizeof *members, 2);
    inference->ahead = NULL;
    arena_adopt(inference->arena, &ahead.kept);
    arena_free(&ahead.loose);
    arena_free(&ahead.scratch);
}
