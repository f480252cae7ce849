#include "dump_events.h"
#include "place.h"

static void write_place(FILE *out, const Program *program, FileId id, Span span) {
    if (!id) return;
    const SourceFile *file = &program->files.items[id];
    fprintf(out, "  %.*s:%u", (int)file->path.length, file->path.bytes, place_line(file, span.start));
}

static void write_count(FILE *out, const char *word, double count) {
    if (count > 0)
        fprintf(out, "%s %g", word, count);
    else
        fprintf(out, "%s ?", word);
}

static void write_bytes(FILE *out, const Event *event) {
    fprintf(out, "copy to %s", event->to_device ? "GPU" : "host");
    if (event->bytes_high > 0)
        fprintf(out, " %g to %g bytes", event->bytes_low, event->bytes_high);
    else
        fprintf(out, " ? bytes");
}

static void write_kind(FILE *out, const Event *event) {
    switch (event->kind) {
    case EVENT_OPS:
        write_count(out, "operations", event->count);
        fprintf(out, " (long %g, backward %g)", event->matmuls, event->backward);
        break;
    case EVENT_BACKWARD: fprintf(out, "backward pass"); break;
    case EVENT_OPTIMIZER: write_count(out, "optimizer step, operations", event->count); break;
    case EVENT_WAIT: write_count(out, "wait", event->count); break;
    case EVENT_COPY: write_bytes(out, event); break;
    case EVENT_HOST:
        if (!event->quantity.length) {
            fprintf(out, "host work of unknown length");
            break;
        }
        fprintf(out, "host work %.*s", (int)event->quantity.length, event->quantity.bytes);
        write_count(out, " times", event->count);
        break;
    case EVENT_DATA: fprintf(out, "next batch%s", event->in_process ? ", made in this process" : ""); break;
    case EVENT_UNSEEN: write_count(out, "unseen call, operations", event->count); break;
    case EVENT_LOOP_BEGIN: write_count(out, "inner loop, turns", event->count); break;
    case EVENT_LOOP_END: fprintf(out, "end of inner loop"); break;
    }
}

static void write_amount(FILE *out, const char *word, Amount amount) {
    if (amount.high <= 0) return;
    fprintf(out, " %s %.4g", word, amount.low);
    if (amount.high > amount.low) fprintf(out, "..%.4g", amount.high);
}

static void write_work(FILE *out, const Workload *work) {
    static const char *const KINDS[] = {"moves", "gemm", "convolution", "attention", "recurrent"};
    static const char *const PRECISIONS[] = {"", " half", " float", " double", " other"};
    write_amount(out, "copied", work->copied);
    write_amount(out, "tensors", work->tensors);
    write_amount(out, "parameters", work->parameters);
    write_amount(out, "turns", work->turns);
    for (uint32_t i = 0; i < work->part_count; i++) {
        const WorkPart *part = &work->parts[i];
        fprintf(out, "%s %s%s%s %g", i ? ";" : " of", KINDS[part->kind], PRECISIONS[part->precision],
                part->tf32 ? " tf32" : "", part->launches);
        write_amount(out, "flops", part->flops);
        write_amount(out, "bytes", part->bytes);
        if (part->least > 0) fprintf(out, " least %g", part->least);
        if (part->backward_launches <= 0) continue;
        fprintf(out, ", backward %g", part->backward_launches);
        write_amount(out, "flops", part->backward_flops);
        write_amount(out, "bytes", part->backward_bytes);
    }
    if (work->open) fputs(", and more", out);
    if (work->unknown.length) fprintf(out, ", not known: %.*s", (int)work->unknown.length, work->unknown.bytes);
}

static void write_event(FILE *out, const Program *program, const Findings *findings, const Event *event) {
    write_kind(out, event);
    write_work(out, event_work(event));
    if (event->share < 1) fprintf(out, ", in %g of the turns", event->share);
    if (event->site) {
        Text entry = findings->sites.items[event->site].entry;
        fprintf(out, ", site %u %.*s", event->site, (int)entry.length, entry.bytes);
    }
    write_place(out, program, event->file, event->span);
    fputc('\n', out);
}

static void write_loop(FILE *out, const Program *program, const Findings *findings, HotLoopId id) {
    const HotLoop *loop = &findings->loops.items[id];
    fprintf(out, "loop %u (%s): %.*s", id, unit_word(loop->unit).bytes, (int)loop->name.length,
            loop->name.bytes);
    write_place(out, program, loop->file, loop->head);
    if (loop->unseen) fprintf(out, ", %u calls not followed", loop->unseen);
    fputc('\n', out);
    int depth = 1;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        if (loop->events[i].kind == EVENT_LOOP_END && depth > 1) depth--;
        fprintf(out, "%*s", 4 * (depth < 20 ? depth : 20), "");
        write_event(out, program, findings, &loop->events[i]);
        if (loop->events[i].kind == EVENT_LOOP_BEGIN) depth++;
    }
}

void dump_events(FILE *out, const Program *program, const Findings *findings) {
    for (HotLoopId id = 1; id < findings->loops.count; id++) write_loop(out, program, findings, id);
}
