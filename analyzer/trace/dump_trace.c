#include "dump_trace.h"

static void dump_site(FILE *file, const Program *program, const Findings *findings, SiteId id) {
    if (!id) return;
    const Site *site = &findings->sites.items[id];
    const SourceFile *source = &program->files.items[site->file];
    fprintf(file, "  site %u %.*s:%u", id, SHOWN(source->path), model_line(source->model, site->span.start));
}

static void dump_wait(FILE *file, const Program *program, const Findings *findings, const Ledger *ledger,
                      uint32_t index) {
    const TracedWait *wait = &ledger->waits->items.items[index];
    const RunCall *call = &ledger->run->calls[wait->call];
    const Names *names = &ledger->run->trace->names;
    Text name = names_text(names, call->call->name);
    fprintf(file, "step %u call %u %.*s: %s, %u bytes, blocks %.1f (pending %.1f, then %.1f) stream %u",
            call->step, wait->call, SHOWN(name), waits_words(wait->kind), wait->bytes, call->own_us,
            call->pending_us, call->after_us, call->stream);
    for (uint32_t i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++) {
        Text operator_name = names_text(names, wait->operators[i]);
        fprintf(file, "%s%.*s", i ? " < " : "  ", SHOWN(operator_name));
    }
    uint32_t callee = ledger->join->callees[index];
    if (callee) {
        Text called = names_text(names, wait->frames[callee - 1]);
        fprintf(file, "  in %.*s, %.1f us", SHOWN(called),
                wait->frame_us[callee - 1][1] - wait->frame_us[callee - 1][0]);
    }
    dump_site(file, program, findings, ledger->join->sites[index]);
    fprintf(file, "\n");
}

void dump_trace(FILE *file, const Program *program, const Findings *findings, const Ledger *ledger) {
    fprintf(file, "%.*s: step %.1f us, replayed %.1f, without the profiler %.1f, host %.1f, gpu %.1f\n",
            SHOWN(ledger->how), ledger->step_us, ledger->replayed_us, ledger->clean_us, ledger->host_us,
            ledger->gpu_us);
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) dump_wait(file, program, findings, ledger, i);
}
