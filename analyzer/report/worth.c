#include "worth.h"
#include "conventions.h"
#include "json.h"
#include "path.h"
#include "source_names.h"
#include <math.h>

/* Weight of copies to the GPU in training, relative to reads: a read is fixed at its line, while a copy needs a
   loader that pins. Of what readers would fix first in 40 packages (corpus/count/first-plans.tsv), most are
   reads; of 0.5, 0.6 to 1 this value orders the judged findings best (corpus/worth.py). Outside of training the
   host mostly wants what it reads. */
static const double sent = 0.7;

typedef struct Worth {
    double yes, of, part;
} Worth;

#define WORTH(name, yes, of, part) static const Worth name##_worth = {yes, of, part};
#include "worth.def"

/* Laplace's rule: few rows say little, so one more of each outcome is added. */
static double rate(Worth worth) { return worth.part * (worth.yes + 1) / (worth.of + 2); }

/* The function of which an iteration is a call, by anybody's loop; empty: the iteration is of a loop. */
static Text function_of(const Report *report, const HotLoop *loop) {
    Text head = source_text(&report->analysis->program->files.items[loop->file], loop->head);
    if (text_starts(head, TEXT("async "))) head = text_slice(head, 6, head.length);
    if (!text_starts(head, TEXT("def "))) return (Text){0};
    uint32_t end = 4;
    while (end < head.length && text_is_word(head.bytes[end])) end++;
    return text_slice(head, 4, end);
}

/* What calling a module runs, or `train_step`: users do so in each step. */
static bool is_forward(const Report *report, const HotLoop *loop) {
    const Rulebook *book = report->analysis->rulebook;
    Text name = function_of(report, loop);
    return name_is(book, NAMED_forward_method, name) || text_equal(name, TEXT("__call__")) ||
           name_is(book, NAMED_training_method, name);
}

static Worth worth_of_turn(const Report *report, const Site *site) {
    const HotLoop *loop = &report->analysis->findings->loops.items[site->loop];
    Unit unit = site->frequency.unit;
    if (unit_trains(unit)) return loop->file == site->file ? step_worth : far_worth;
    if (unit == UNIT_CALL && is_forward(report, loop)) return report->trains ? unreached_worth : forward_worth;
    if (unit == UNIT_CALL) return call_worth;
    return unit == UNIT_EVALUATION ? evaluation_worth : iteration_worth;
}

/* ---- code beside the program ---- */

static bool lies_beside(const Rulebook *book, Text path) {
    if (text_ends(path, TEXT(".py"))) path.length -= 3;
    if (text_ends(path, TEXT(".ipynb"))) path.length -= 6;
    for (uint32_t start = 0, at = 0; at <= path.length; at++) {
        if (at < path.length && path.bytes[at] != '/') continue;
        if (name_is(book, NAMED_side_folder, text_slice(path, start, at))) return true;
        start = at + 1;
    }
    return false;
}

static bool is_notebook(const SourceFile *file) { return text_ends(file->path, TEXT(".ipynb")); }

/* Something is found in a loop that trains, in a file that lies not beside; notebooks: or in one of those. */
static bool trains(const Report *report, const bool *sides, bool notebooks) {
    const HotLoop *loops = report->analysis->findings->loops.items;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Site *site = report->findings.items[i].site;
        if (!site->loop || !unit_trains(site->frequency.unit) || sides[site->file]) continue;
        const HotLoop *loop = &loops[site->loop];
        if (!notebooks && is_notebook(&report->analysis->program->files.items[loop->file])) continue;
        if (!function_of(report, loop).length) return true;
    }
    return false;
}

const bool *worth_sides(Arena *result, const Report *report) {
    const Program *program = report->analysis->program;
    bool *sides = arena_new(result, bool, program->files.count + 1u);
    const SourceFile *first = NULL;
    uint32_t shared = 0, beside = 0, given = 0;
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        if (!file->reported) continue;
        if (!first) first = file, shared = file->path.length;
        uint32_t folder = path_shared_folder(first->path, file->path);
        shared = folder < shared ? folder : shared;
    }
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        if (!file->reported) continue;
        sides[id] = lies_beside(report->analysis->rulebook, text_slice(file->path, shared, file->path.length));
        beside += sides[id], given++;
    }
    if (beside == given) memset(sides, 0, program->files.count * sizeof *sides);
    /* a notebook of a program that trains without it shows how to use it */
    bool shown = trains(report, sides, false);
    for (FileId id = 1; shown && id < program->files.count; id++)
        sides[id] |= program->files.items[id].reported && is_notebook(&program->files.items[id]);
    return sides;
}

bool worth_is_aside(const Report *report, FileId id) {
    const SourceFile *file = &report->analysis->program->files.items[id];
    return lies_beside(report->analysis->rulebook, file->place) || (is_notebook(file) && report->beside[id]);
}

bool worth_trains(const Report *report) { return trains(report, report->beside, true); }

/* ---- weights ---- */

/* A comprehension's iteration is a part of something else's. */
static double part_of_loop(const Report *report, HotLoopId id) {
    const HotLoop *loop = &report->analysis->findings->loops.items[id];
    Text head = source_text(&report->analysis->program->files.items[loop->file], loop->head);
    return head.length && strchr("[({", head.bytes[0]) ? 0.05 : 1;
}

static double certainty(Confidence confidence) {
    return rate(confidence == CONFIDENCE_CERTAIN  ? certain_worth
                : confidence == CONFIDENCE_LIKELY ? likely_worth
                                                  : possible_worth);
}

/* Evidence that says more about the worth of an edit than about whether there is a wait. */
static double worth_of_evidence(Evidence seen) {
    const Evidence pages = evidence(SEEN_PAGE) | evidence(SEEN_MOSTLY);
    const Evidence guards =
        evidence(SEEN_RARE) | evidence(SEEN_RAISES) | evidence(SEEN_BROKEN) | evidence(SEEN_OPTION);
    return (seen & pages ? rate(page_worth) : 1) * (seen & guards ? rate(guarded_worth) : 1) *
           (seen & evidence(SEEN_ROOT_ANNOTATED) ? rate(annotated_worth) : 1) *
           (seen & evidence(SEEN_PROBE) ? rate(probe_worth) : 1);
}

static double worth_of_need(Need need) {
    return need == NEED_AVOIDABLE ? 1 : rate(need == NEED_NEEDED ? needed_worth : undecided_worth);
}

/* Exponent of the number of loops that reach the place: what many programs or paths share, as a trainer's base class
   or a metric, is worth more than one of several alternatives. Of judged pairs (corpus/worth.py), 0.25 orders most. */
static const double by_reach = 0.25;

double worth_weight(const Report *report, const Finding *finding) {
    const Site *site = finding->site;
    const Frequency *frequency = &site->frequency;
    double weight =
        certainty(site->confidence) * worth_of_need(site->need) * pow(1.0 + site->also_count, by_reach);
    const Rulebook *book = report->analysis->rulebook;
    uint32_t sends = DOES_BIT(sends) | DOES_BIT(indexes) | DOES_BIT(makes);
    if (unit_trains(frequency->unit) && rulebook_does(book, site->hazard, sends)) weight *= sent;
    weight *= worth_of_evidence(site->evidence);
    if (rulebook_does(book, site->hazard, DOES_BIT(works))) weight *= rate(works_worth);
    if (rulebook_does(book, site->hazard, DOES_BIT(inheres))) weight *= rate(inheres_worth);
    if (report->beside[site->file]) weight *= rate(side_worth);
    if (report->strays[site->file]) weight *= rate(stray_worth);
    if (finding->cost->held) weight *= rate(held_worth);
    if (site->purpose == PURPOSE_saved) weight *= rate(saved_worth);
    if (frequency->unit == UNIT_EPOCH || !site->loop) return weight * rate(epoch_worth);
    weight *= rate(worth_of_turn(report, site)) * part_of_loop(report, site->loop);
    if (frequency->only.length) return weight * rate(option_worth);
    return frequency->every == 1 ? weight : weight * rate(seldom_worth);
}

/* Exponent of the gained share: between findings of equal kind the larger share comes first, but kinds matter
   more. */
static const double by_gain = 0.25;
static const double least_turn_us =
    3000; /* a shorter iteration, such as a call, is a part of something else's */

/* The printed ends, so that equally printed prices are ordered by place instead of noise. */
static double printed_us(CostRange range) {
    return cost_robust_us((CostRange){json_rounded(range.low_us), json_rounded(range.high_us)});
}

double worth_of_gain(const Report *report, HotLoopId loop, CostRange gain) {
    CostRange turn = loop ? report->analysis->costs->loops[loop].turn : (CostRange){0};
    double turn_us = fmax(sqrt(turn.low_us * turn.high_us), least_turn_us);
    return pow(fmin(printed_us(gain) / turn_us, 1), by_gain);
}

/* Exponent of the number of places. Of the 107 that readers of draws 1 to 9 would mend first (corpus/first_plans.py), 58 are
   in a plan's first three with it, and 56 with 0.1: 4 come earlier, and 3 later. */
static const double by_places = 0.25;

double worth_of_places(double places) { return pow(places, by_places); }

double worth_of_finding(const Report *report, const Finding *finding) {
    return worth_of_gain(report, finding->site->loop, finding->cost->marginal) * worth_weight(report, finding);
}
