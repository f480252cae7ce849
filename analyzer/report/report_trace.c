#include "report_trace.h"
#include "columns.h"
#include "cost_text.h"
#include "picture.h"
#include "snippet.h"
#include <math.h>
#include <stdlib.h>

enum {
    COLUMNS_AT_MOST = 96,
    LABEL = 13,
    OTHERS_SHOWN = 8,
    LINES_SHOWN = 12,
    FINDINGS_SHOWN = 20,
    EXPRESSION = 40
};

static Saving saving_of(const Report *report, const Ledger *ledger, bool avoidable_only) {
    Arena scratch = {0};
    bool *sites = arena_new(&scratch, bool, ledger->site_count + 1);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        if (finding->id) sites[finding->id] = !avoidable_only || finding->site->need == NEED_AVOIDABLE;
    }
    Saving saving = ledger_saving(ledger, sites);
    arena_free(&scratch);
    return saving;
}

Saving report_trace_saving(const Report *report, bool avoidable_only) {
    return saving_of(report, report->analysis->ledger, avoidable_only);
}

/* ---- the picture ---- */

static void write_row(Output *output, const char *label, const double *shares, uint32_t columns) {
    static const char *const shades[] = {" ", "░", "▒", "▓", "█"}; /* the slightest work is visible */
    output_format(output, "  %-11s", label);
    for (uint32_t i = 0; i < columns; i++)
        output_text(output, shades[shares[i] > 0.9 ? 4 : shares[i] > 0.005 ? 1 + (int)(shares[i] * 3.3) : 0]);
    output_text(output, "\n");
}

static void write_marks(Output *output, const Picture *picture) {
    char marks[COLUMNS_AT_MOST + 1] = {0};
    memset(marks, ' ', picture->columns);
    for (uint32_t i = 0; i < picture->waits.count; i++)
        marks[picture->waits.items[i].column] = (char)('A' + picture->waits.items[i].line);
    output_format(output, "  %-11s%s\n", "waits", marks);
}

static const Finding *finding_of(const Report *report, SiteId site) {
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].id == site) return &report->findings.items[i];
    return NULL;
}

static void write_expression(Output *output, const Finding *finding) {
    Span span = finding->site->span;
    Text source = text_slice(finding->file->bytes, span.start, span.end);
    output_clean(output, finding->file->path);
    output_format(output, ":%u `", finding->start.line);
    output_clean(output, snippet_line(output->arena, source, EXPRESSION));
    output_text(output, "`");
}

static void write_legend(Output *output, const Report *report, const Picture *picture) {
    Arena *arena = output->arena;
    for (uint32_t i = 0; i < picture->lines.count && i < LINES_SHOWN; i++) {
        const PictureLine *line = &picture->lines.items[i];
        const Finding *finding = finding_of(report, line->site);
        output_format(output, "    %c  ", 'A' + (int)i);
        if (finding)
            write_expression(output, finding);
        else
            output_format(output, "%s, not a finding that is shown", waits_words(line->kind));
        if (line->times > 1) output_format(output, ", %u times", line->times);
        output_format(output, ": the host stands %s, then the GPU is idle for %s\n",
                      cost_text_us(arena, line->blocked_us).bytes, cost_text_us(arena, line->idle_us).bytes);
    }
    if (picture->lines.count > LINES_SHOWN)
        output_format(output, "    and %u more in this step\n", picture->lines.count - LINES_SHOWN);
}

static void write_picture(Output *output, const Report *report, const Ledger *ledger) {
    uint32_t width = (output->columns ? output->columns : COLUMNS_USUAL) - LABEL;
    uint32_t columns = width < COLUMNS_AT_MOST ? width : COLUMNS_AT_MOST;
    const Picture *picture = picture_draw(output->arena, ledger, columns);
    output_format(output, "  one step, a column is %s\n",
                  cost_text_us(output->arena, picture->column_us).bytes);
    write_row(output, "host works", picture->working, picture->columns);
    write_row(output, "host waits", picture->waiting, picture->columns);
    for (uint32_t i = 0; i < picture->streams; i++) {
        const char *label = picture->streams > 1 ? text_format(output->arena, "GPU %u", i + 1).bytes : "GPU";
        write_row(output, label, picture->busy[i], picture->columns);
    }
    if (picture->waits.count) write_marks(output, picture);
    write_legend(output, report, picture);
}

/* ---- words ---- */

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void write_after(Output *output, const Ledger *ledger, const char *what, Saving saving) {
    output_format(output, "  %-32s%10.0f us a step  %5.1f %% less (%.0f to %.0f us)\n", what,
                  ledger->clean_us - saving.us, share(saving.us, ledger->clean_us), saving.range.low_us,
                  saving.range.high_us);
}

typedef struct Saver {
    double us;
    uint32_t index;
} Saver;

static int by_us(const void *left, const void *right) {
    const Saver *a = left, *b = right;
    if (a->us != b->us) return a->us > b->us ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* The findings, by what the trace says they cost. */
static const uint32_t *by_saving(Arena *arena, const Report *report, const Ledger *ledger) {
    uint32_t count = report->findings.count;
    Saver *savers = arena_new(arena, Saver, count + 1u);
    uint32_t *order = arena_new(arena, uint32_t, count + 1u);
    for (uint32_t i = 0; i < count; i++) {
        const TracedSite *traced = &ledger->sites[report->findings.items[i].id];
        savers[i] = (Saver){traced->seen ? round(traced->saving.us) : 0, i};
    }
    if (count > 1) qsort(savers, count, sizeof *savers, by_us);
    for (uint32_t i = 0; i < count; i++) order[i] = savers[i].index;
    return order;
}

/* The cost of each finding alone, dearest first. */
static void write_findings(Output *output, const Report *report, const Ledger *ledger) {
    uint32_t shown = 0, unseen = 0, left_out = 0;
    if (!ledger->loop) {
        output_text(output, ledger->waits->items.count
                                ? "  no finding of these files was seen in it: is it a trace of this program?\n"
                                : "  no call in it waits for the GPU\n");
        return;
    }
    output_text(output, "  without one alone, less by:\n");
    const uint32_t *order = by_saving(output->arena, report, ledger);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[order[i]];
        const TracedSite *traced = &ledger->sites[finding->id];
        if (!finding->id || (!traced->seen && finding->site->loop != ledger->loop)) continue;
        unseen += !traced->seen, left_out += traced->seen && shown >= FINDINGS_SHOWN;
        if (!traced->seen || shown >= FINDINGS_SHOWN) continue;
        Text range = text_format(output->arena, "(%.0f to %.0f)", traced->saving.range.low_us,
                                 traced->saving.range.high_us);
        output_format(output, "    %8.0f us %-16s %5.1f %%  blocks %8.0f us  ", traced->saving.us, range.bytes,
                      share(traced->saving.us, ledger->clean_us), traced->blocked_us);
        write_expression(output, finding);
        output_text(output, traced->added        ? ", added since\n"
                            : traced->in_library ? ", inside a library\n"
                                                 : "\n");
        shown++;
    }
    if (left_out) output_format(output, "    and %u more (in --output-format json)\n", left_out);
    if (unseen) output_format(output, "    %u of this loop's findings: not seen in the trace\n", unseen);
}

static void write_others(Output *output, const Ledger *ledger) {
    if (!ledger->others.count) return;
    output_text(output, "  waits in the trace that are no finding:\n");
    for (uint32_t i = 0; i < ledger->others.count && i < OTHERS_SHOWN; i++) {
        const TracedOther *other = &ledger->others.items[i];
        output_format(output, "    %s, %.4g a step (", waits_words(other->kind), other->times);
        output_clean(output, other->where);
        output_format(output, "): costs %s, blocks %s\n", cost_text_us(output->arena, other->saving_us).bytes,
                      cost_text_us(output->arena, other->blocked_us).bytes);
        if (other->kind == WAITED_MEMORY)
            output_text(
                output,
                "      the allocator asks for memory or gives it back within the step: keep shapes equal, "
                "call no empty_cache(), make pinned buffers once\n");
    }
    if (ledger->others.count > OTHERS_SHOWN)
        output_format(output, "    and %u more kinds (in --output-format json)\n",
                      ledger->others.count - OTHERS_SHOWN);
}

/* What one of several traces shows by itself. */
static void write_recording(Output *output, const Recording *recording) {
    const Ledger *ledger = recording->ledger;
    output_text(output, "  ");
    output_clean(output, ledger->path);
    output_text(output, ": ");
    output_clean(output, ledger->how);
    output_format(output, ", %.0f us a step as %s, %.0f without %s", ledger->step_us,
                  ledger->recorded ? "recorded" : "traced", ledger->clean_us,
                  ledger->recorded ? "that" : "the profiler's own work");
    if (recording->remark.length) {
        output_text(output, "; ");
        output_clean(output, recording->remark);
    }
    if (recording->left_out.length) {
        output_text(output, "; left out: ");
        output_clean(output, recording->left_out);
    }
    output_text(output, "\n");
}

static void write_head(Output *output, const Ledger *ledger) {
    output_style(output, STYLE_BOLD);
    output_text(output, ledger->recorded ? "Recording " : "Trace ");
    output_clean(output, ledger->path);
    if (ledger->recording_count > 1) output_format(output, " and %u more", ledger->recording_count - 1);
    output_style(output, STYLE_PLAIN);
    output_text(output, ": ");
    output_clean(output, ledger->how);
    output_text(output, ledger->recording_count > 1 && !ledger->distrust.length ? ", on average\n" : "\n");
    bool bursts =
        ledger->recorded && ledger->distrust.length; /* a reason common to all is printed once, below */
    for (uint32_t i = 0; !bursts && i < ledger->recording_count; i++)
        write_recording(output, &ledger->recordings[i]);
}

/* How much of the trace is of these sources. */
static void write_belonging(Output *output, const Belonging *self) {
    output_format(output, "  of its %u waits %u fit findings here; ", self->waits, self->joined);
    if (self->called)
        output_format(output, "of %u whose Python functions it shows %u are called from these files; ",
                      self->called, self->here);
    output_format(output, "a step queues %.0f GPU operations, ", self->launches);
    if (self->operations_high > 0)
        output_format(output, "%.0f are counted here\n", self->operations_high);
    else
        output_text(output, "and no loop here fits\n");
}

static const HotLoop *rival_of(const Report *report, const Ledger *ledger) {
    bool one = !ledger->listed && ledger->loop && ledger->join->matched && ledger->join->rival;
    return one ? &report->analysis->findings->loops.items[ledger->join->rival] : NULL;
}

/* Names another loop that may have run instead. */
static Text rival_text(Arena *arena, const Report *report, const Ledger *ledger) {
    const HotLoop *rival = rival_of(report, ledger);
    if (!rival) return TEXT("");
    const SourceFile *file = &report->analysis->program->files.items[rival->file];
    return text_format(arena, "%.*s:%u fits it as well: if that is what ran, give syncl that script alone",
                       SHOWN(file->path), model_line(file->model, rival->head.start));
}

Text report_trace_oddity(Arena *arena, const Report *report) {
    const Ledger *ledger = report->analysis->ledger;
    if (!ledger) return TEXT("");
    Text rival = rival_text(arena, report, ledger);
    if (!ledger->distrust.length && rival.length) return text_format(arena, "--trace: %.*s", SHOWN(rival));
    if (!ledger->distrust.length) return TEXT("");
    return text_format(arena, "--trace: no price rests on %.*s: %.*s", SHOWN(ledger->path),
                       SHOWN(ledger->distrust));
}

/* Says which loop it is, where there are several. */
static void write_loop(Output *output, const Report *report, const Ledger *ledger) {
    bool several = report->analysis->ledger->next != NULL;
    if (!several || !ledger->loop) return;
    output_text(output, "  a step here is a ");
    output_clean(output, report->analysis->findings->loops.items[ledger->loop].name);
    output_text(output, "\n");
}

static void write_rival(Output *output, const Report *report, const Ledger *ledger) {
    Text rival = rival_text(output->arena, report, ledger);
    if (!rival.length) return;
    output_text(output, "  ");
    output_clean(output, rival);
    output_text(output, "\n");
}

static void write_ledger(Output *output, const Report *report, const Ledger *ledger) {
    static const double slowed_much = 1.25;
    write_head(output, ledger);
    write_loop(output, report, ledger);
    if (!ledger->listed) write_belonging(output, &ledger->belonging);
    if (ledger->distrust.length) {
        output_text(output,
                    ledger->recording_count > 1
                        ? "  none of these traces can be trusted, so no price rests on them; the first: "
                        : "  this trace can't be trusted, so no price rests on it: ");
        output_clean(output, ledger->distrust);
        output_text(output, "\n\n");
        return;
    }
    write_rival(output, report, ledger);
    output_format(output, "  %-32s%10.0f us a step  (replayed: %.0f us)\n",
                  ledger->recorded ? "as recorded" : "as traced", ledger->step_us, ledger->replayed_us);
    output_format(output, "  %-32s%10.0f us a step",
                  ledger->recorded ? "without recording it" : "without the profiler's own work",
                  ledger->clean_us);
    if (ledger->recorded && ledger->measured_us > 0)
        output_format(output, "  (measured: %.0f us)", ledger->measured_us);
    output_text(output, "\n");
    if (ledger->works_us > 0)
        output_format(output, "  %-32s%10.0f us a step  (measured)\n", "recording the GPU's work alone",
                      ledger->works_us);
    write_after(output, ledger, "without the avoidable findings", saving_of(report, ledger, true));
    write_after(output, ledger, "without any finding shown", saving_of(report, ledger, false));
    write_findings(output, report, ledger);
    output_format(output,
                  "  host busy %.0f %%, GPU busy %.0f %%; the host stands in waits for %.0f us, and is %.0f us "
                  "ahead of the GPU\n",
                  share(ledger->host_us, ledger->clean_us), share(ledger->gpu_us, ledger->clean_us),
                  ledger->blocked_us, ledger->run_ahead_us);
    if (ledger->listed) {
        output_text(output, "\n");
        return;
    }
    if (ledger->run->slowed > slowed_much)
        output_format(output,
                      "  the host took %.0f %% longer in the usual step than in the fastest one: something "
                      "slowed it, and "
                      "what follows a wait is priced too high by as much; record again on a quiet machine\n",
                      100 * (ledger->run->slowed - 1));
    bool measured = ledger->recorded && ledger->measured_us > 0;
    if (!measured && ledger->launch_us > ledger->launch_most_us)
        output_format(output,
                      "  a launch takes %.1f us in this trace, at most %.1f us where the profile is from: this "
                      "host is slower or shared with "
                      "others, and what prints, checks and launches cost is priced too low; --calibrate on it, "
                      "and give --step-time\n",
                      ledger->launch_us, ledger->launch_most_us);
    write_picture(output, report, ledger);
    write_others(output, ledger);
    output_text(output, "\n");
}

void report_trace(Output *output, const Report *report) {
    for (const Ledger *ledger = report->analysis->ledger; ledger; ledger = ledger->next)
        write_ledger(output, report, ledger);
}

static Value *others_value(const Json *json, const Ledger *ledger) {
    Value *array = json_array(json);
    for (uint32_t i = 0; i < ledger->others.count; i++) {
        const TracedOther *other = &ledger->others.items[i];
        Value *object = json_object(json);
        json_add_text(json, object, "kind", text_of(waits_words(other->kind)));
        json_add_text(json, object, "where", other->where);
        json_add_number(json, object, "per_step", other->times);
        json_add_number(json, object, "saving_us", other->saving_us);
        json_add_number(json, object, "blocked_us", other->blocked_us);
        json_append(array, object);
    }
    return array;
}

static Value *range_value(const Json *json, CostRange range) {
    Value *object = json_object(json);
    json_add_number(json, object, "low_us", range.low_us);
    json_add_number(json, object, "high_us", range.high_us);
    return object;
}

static Value *recordings_value(const Json *json, const Ledger *average) {
    Value *array = json_array(json);
    for (uint32_t i = 0; i < average->recording_count; i++) {
        const Recording *recording = &average->recordings[i];
        const Ledger *ledger = recording->ledger;
        Value *object = json_object(json);
        json_add_text(json, object, "file", ledger->path);
        json_add_count(json, object, "steps", ledger->steps);
        json_add_number(json, object, "step_us", ledger->step_us);
        json_add_number(json, object, "replayed_us", ledger->replayed_us);
        json_add_number(json, object, "unprofiled_us", ledger->clean_us);
        json_add_number(json, object, "launch_us", ledger->launch_us);
        json_add_number(json, object, "slowed", ledger->run->slowed);
        json_add_bool(json, object, "priced", recording->priced);
        if (recording->left_out.length) json_add_text(json, object, "left_out", recording->left_out);
        if (recording->remark.length) json_add_text(json, object, "remark", recording->remark);
        json_append(array, object);
    }
    return array;
}

static Value *belonging_value(const Json *json, const Belonging *self) {
    Value *object = json_object(json);
    json_add_count(json, object, "waits", self->waits);
    json_add_count(json, object, "of_findings", self->joined);
    json_add_count(json, object, "with_functions", self->called);
    json_add_count(json, object, "called_from_these_files", self->here);
    json_add_number(json, object, "launches_per_step", self->launches);
    json_add_number(json, object, "operations_counted", self->operations_high);
    return object;
}

static Value *ledger_value(const Json *json, const Report *report, const Ledger *ledger) {
    Value *object = json_object(json);
    json_add_count(json, object, "steps", ledger->steps);
    json_add_number(json, object, "step_us", ledger->step_us);
    json_add_number(json, object, "replayed_us", ledger->replayed_us);
    if (ledger->distrust.length) {
        json_add_null(json, object, "saving_all_us");
        json_add_null(json, object, "saving_avoidable_us");
    } else {
        Saving all = saving_of(report, ledger, false), avoidable = saving_of(report, ledger, true);
        json_add_number(json, object, "saving_all_us", all.us);
        json_add_number(json, object, "saving_avoidable_us", avoidable.us);
        json_add(json, object, "saving_all_range", range_value(json, all.range));
        json_add(json, object, "saving_avoidable_range", range_value(json, avoidable.range));
    }
    json_add_number(json, object, "blocked_us", ledger->blocked_us);
    json_add_number(json, object, "run_ahead_us", ledger->run_ahead_us);
    json_add_number(json, object, "slowed", ledger->listed ? 1 : ledger->run->slowed);
    json_add_number(json, object, "launch_us", ledger->launch_us);
    json_add_number(json, object, "launch_most_us", ledger->launch_most_us);
    json_add_number(json, object, "unprofiled_us", ledger->clean_us);
    if (ledger->recorded) json_add_number(json, object, "measured_us", ledger->measured_us);
    if (ledger->works_us > 0) json_add_number(json, object, "works_told_us", ledger->works_us);
    json_add_number(json, object, "host_us", ledger->host_us);
    json_add_number(json, object, "gpu_us", ledger->gpu_us);
    json_add_text(json, object, "file", ledger->path);
    json_add_text(json, object, "steps_by", ledger->how);
    json_add_bool(json, object, "trusted", ledger->distrust.length == 0);
    if (ledger->distrust.length) json_add_text(json, object, "distrust", ledger->distrust);
    json_add(json, object, "belonging", belonging_value(json, &ledger->belonging));
    if (ledger->recording_count) json_add(json, object, "recordings", recordings_value(json, ledger));
    json_add(json, object, "others", others_value(json, ledger));
    Text rival = rival_text(json->arena, report, ledger);
    if (rival.length) json_add_text(json, object, "rival", rival);
    if (report->analysis->ledger->next && ledger->loop)
        json_add_text(json, object, "loop", report->analysis->findings->loops.items[ledger->loop].name);
    return object;
}

/* The ledger of one loop, and those of other recorded loops. */
Value *report_trace_value(const Json *json, const Report *report) {
    const Ledger *first = report->analysis->ledger;
    Value *object = ledger_value(json, report, first), *loops = json_array(json);
    for (const Ledger *ledger = first->next; ledger; ledger = ledger->next)
        json_append(loops, ledger_value(json, report, ledger));
    if (first->next) json_add(json, object, "loops", loops);
    return object;
}
