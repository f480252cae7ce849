/* The path to a place as reasons, see way.h. */
#include "way.h"

/* The outermost step of the path that is inside the contract's statement. */
static bool breaks_at(const Inference *inference, ContractId id, const Frame *frame) {
    const Contract *contract = &inference->contracts->items.items[id];
    const Frame *up = frame->outer;
    bool inside = frame->file == contract->file && frame->span.start >= contract->span.start &&
                  frame->span.end <= contract->span.end;
    bool above = up && up->file == contract->file && up->span.start >= contract->span.start &&
                 up->span.end <= contract->span.end;
    return inside && !above;
}

static Reason contract_reason(Arena *arena, const Inference *inference, ContractId id) {
    const Contract *contract = &inference->contracts->items.items[id];
    const SourceFile *file = &inference->program->files.items[contract->file];
    Text head = infer_source(arena, file, file->model->stmts.items[contract->stmt].head);
    return (Reason){.role = ROLE_HOT,
                    .file = contract->file,
                    .span = contract->words,
                    .text = text_format(arena, "`# syncl: sync-free` allows no wait below `%.*s`",
                                        (int)head.length, head.bytes)};
}

static bool is_hot_loop(const Rate *rate, const Frame *frame) {
    return frame->is_loop && frame->file == rate->loop_file && frame->span.start == rate->loop_head.start;
}

/* The last step to be printed of a long path: the loop, wherever it is. */
static const Frame *last_step(const Rate *rate, const Frame *frame) {
    const Frame *next = frame;
    while (next && !next->handed && !is_hot_loop(rate, next)) next = next->outer;
    return next && !next->handed ? next : frame;
}

static Reason way_reason(Arena *arena, const Inference *inference, const Frame *frame) {
    const SourceFile *file = &inference->program->files.items[frame->file];
    Text source = infer_source(arena, file, frame->span);
    const char *format = frame->is_loop  ? "inside `%.*s`"
                         : frame->handed ? "handed to `%.*s`, which calls it"
                                         : "called by `%.*s`";
    return (Reason){.role = ROLE_HOT,
                    .loop = frame->is_loop,
                    .file = frame->file,
                    .span = frame->span,
                    .text = text_format(arena, format, (int)source.length, source.bytes)};
}

/* The reason for a function that unseen code calls. */
static Reason root_reason(Arena *arena, const Inference *inference, const Rate *rate) {
    const SourceFile *file = &inference->program->files.items[rate->loop_file];
    Text source = infer_source(arena, file, rate->loop_head);
    return (Reason){
        .role = ROLE_HOT,
        .file = rate->loop_file,
        .span = rate->loop_head,
        .text = text_format(arena, "`%.*s` is called again and again", (int)source.length, source.bytes)};
}

const Reason *way_reasons(Arena *arena, const Inference *inference, const Rate *rate, const Frame *frames,
                          uint32_t *count) {
    VEC(Reason) reasons = {0};
    uint32_t most = rate->sync_free ? 12 : 6; /* a broken contract is shown with the whole path */
    bool told = false;
    for (const Frame *frame = frames; frame && !told && reasons.count < most; frame = frame->outer) {
        if (reasons.count + 1 == most && !rate->sync_free) frame = last_step(rate, frame);
        vec_push(arena, &reasons, way_reason(arena, inference, frame));
        told = rate->sync_free ? breaks_at(inference, rate->sync_free, frame)
                               : frame->handed || is_hot_loop(rate, frame);
    }
    if (rate->sync_free) vec_push(arena, &reasons, contract_reason(arena, inference, rate->sync_free));
    bool whole = rate->item == UINT32_MAX && !told && !rate->sync_free; /* not a loop: a function */
    if (rate->loop_file && (!reasons.count || whole))
        vec_push(arena, &reasons, root_reason(arena, inference, rate));
    *count = reasons.count;
    return reasons.items;
}
