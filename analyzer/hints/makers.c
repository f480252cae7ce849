/* Counts the calls of each name in the program: a class called in several places has several allocation sites. */
#include "ahead.h"

static void count_maker(const SourceFile *file, ExprId id, uint8_t *makers) {
    const Expr *expr = &file->model->exprs.items[id];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return;
    uint8_t *count = &makers[file->syms[expr->name]];
    if (*count < PLACES_COUNTED) (*count)++;
}

/* [Sym]: calls of the name, including those by others that it is passed to, as in defaultdict(Meter). */
const uint8_t *instance_makers(Arena *arena, const Program *program, uint32_t names) {
    uint8_t *makers = arena_new(arena, uint8_t, names);
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        for (ExprId e = 1; e < file->model->exprs.count; e++) {
            const Expr *call = &file->model->exprs.items[e];
            if (call->kind != EXPR_CALL) continue;
            count_maker(file, call->a, makers);
            for (uint32_t i = 0; i < call->list.count; i++)
                count_maker(file, file->model->links.items[call->list.first + i], makers);
        }
    }
    return makers;
}

uint8_t makers_of(Inference *inference, Sym name) {
    const Program *program = inference->program;
    if (!inference->makers) inference->makers = ahead_makers(inference);
    if (!inference->makers)
        inference->makers = instance_makers(inference->arena, program, program->names.texts.count + 1);
    return inference->makers[name];
}
