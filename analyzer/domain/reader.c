/* Readers: which evaluation, or which memoised step of one, has read what, so that it runs again when that
   changes. */
#include "memo.h"

const Writes *writes_of(const Inference *inference, FileId file) {
    const Writes **writes = &inference->writes[file];
    Arena scratch = {0};
    if (!*writes) *writes = writes_make(inference->arena, &scratch, &inference->program->files.items[file]);
    arena_free(&scratch);
    return *writes;
}

EvaluationId memo_reader(Inference *inference, ContextId context, uint32_t step) {
    vec_push(inference->working, &inference->readers, ((Reader){context, step}));
    return inference->readers.count - 1;
}

bool memo_reads(const Inference *inference, EvaluationId id) {
    const Reader *reader = &inference->readers.items[id];
    const Context *context = inference->contexts.items[reader->context];
    return reader->step ? context->memo->steps[reader->step - 1].reader == id : context->evaluation == id;
}

bool memo_touch(const Inference *inference, EvaluationId id) {
    const Reader *reader = &inference->readers.items[id];
    Context *context = inference->contexts.items[reader->context];
    if (!reader->step) return context->evaluation == id;
    Step *step = &context->memo->steps[reader->step - 1];
    if (step->reader != id) return false;
    step->dirty = true;
    return !context->evaluating ||
           reader->step <= context->memo->next; /* else it runs in this evaluation still */
}

void memo_ask(const Inference *inference, GlobalClass id) {
    Replay *self = inference->replay;
    if (!self) return;
    for (uint32_t i = self->asked.count; i > 0; i--)
        if (self->asked.items[i - 1] == id) return;
    if (self->asked.count <= ASKED_MOST) vec_push(self->eval->scratch, &self->asked, id);
}
