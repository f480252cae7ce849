/* The default report: what to do first, then every other finding on a line, by loop. */
#include "report_lines.h"

/* The loop of a finding; 0 = it has no iteration, e.g. once an epoch, or a comment. */
static HotLoopId place_of(const Report *report, uint32_t i) {
    const Site *site = report->findings.items[i].site;
    return site->frequency.unit == UNIT_EPOCH ? 0 : site->loop;
}

static void write_heading(Output *output, const Report *report, HotLoopId id, uint32_t left) {
    const PlanLoop *loop = plan_loop(report->plan, id);
    Text tail = text_format(output->arena, ": %u %s%s%s", left, report->plan->shown ? "other " : "",
                            left == 1 ? "finding" : "findings",
                            loop && loop->leave ? ", together below 1 % of a turn: leave them" : "");
    uint32_t room = lines_width(output) > tail.length ? lines_width(output) - tail.length : 1;
    output_style(output, STYLE_BOLD);
    output_bytes(output, id ? lines_loop_name(output->arena, report, id, room) : TEXT("Not in a loop's turn"));
    output_style(output, STYLE_PLAIN);
    output_bytes(output, tail);
    output_text(output, "\n");
}

static bool is_left(const Report *report, uint32_t i) { return !report->plan->group_of[i]; }

/* The remaining findings by loop: next[i] is index + 1 of the next finding of the same loop. */
typedef struct Left {
    uint32_t *first, *last, *counts; /* [HotLoopId] */
    uint32_t *next;                  /* [finding] */
} Left;

static Left left_of(Arena *arena, const Report *report) {
    uint32_t loops = report->analysis->findings->loops.count + 1u;
    Left left = {arena_new(arena, uint32_t, loops), arena_new(arena, uint32_t, loops),
                 arena_new(arena, uint32_t, loops), arena_new(arena, uint32_t, report->findings.count + 1u)};
    for (uint32_t i = 0; i < report->findings.count; i++) {
        if (!is_left(report, i)) continue;
        HotLoopId id = place_of(report, i);
        *(left.last[id] ? &left.next[left.last[id] - 1] : &left.first[id]) = i + 1;
        left.last[id] = i + 1, left.counts[id]++;
    }
    return left;
}

static void write_loop(Output *output, const Report *report, HotLoopId id, const Left *left) {
    uint32_t from = output->bytes.count;
    if (!left->counts[id]) return;
    write_heading(output, report, id, left->counts[id]);
    columns_fold(output, from, lines_width(output));
    for (uint32_t i = left->first[id]; i; i = left->next[i - 1]) lines_finding(output, report, i - 1, 2);
    output_text(output, "\n");
}

void report_plan(Output *output, const Report *report) {
    if (report->options->quiet) {
        for (uint32_t i = 0; i < report->findings.count; i++) lines_finding(output, report, i, 0);
        lines_broken(output, report);
        return;
    }
    lines_plan(output, report);
    Left left = left_of(output->arena, report);
    for (uint32_t i = 0; i < report->findings.count; i++) {
        HotLoopId id = place_of(report, i);
        if (!id || left.first[id] != i + 1) continue;
        write_loop(output, report, id, &left);
    }
    write_loop(output, report, 0, &left); /* findings without an iteration come last */
    lines_end(output, report, false);
}
