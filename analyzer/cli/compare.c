#include "compare.h"
#include "place.h"
#include "path.h"
#include "revision.h"
#include "snippet.h"
#include "wishes.h"
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static const double noise_us = 0.5; /* a smaller difference is no growth */

/* ---- the other revision's report ---- */

/* Its files are in a temporary folder, but settings apply by their paths in the repository. */
typedef struct Elsewhere {
    Arena *arena;
    Settings *settings;
    Text folder, root;
} Elsewhere;

static Text original(const Elsewhere *self, Text absolute) {
    return path_join(self->arena, self->root, path_below(absolute, self->folder));
}

static bool leave_out(void *self, Text absolute, bool is_folder) {
    const Elsewhere *elsewhere = self;
    return settings_leave_out(elsewhere->settings, original(elsewhere, absolute), is_folder);
}

static bool leave_out_named(void *self, Text absolute) {
    const Elsewhere *elsewhere = self;
    return settings_leave_out_named(elsewhere->settings, original(elsewhere, absolute));
}

/* The named paths, relative to the repository's root, as far as they existed then. */
static bool name_paths(Arena *arena, const CompareTask *task, Strings *paths, Text *error) {
    const Repository *repository = &task->report.repository;
    for (size_t i = 0; i < task->analyze.path_count; i++) {
        Text absolute = path_absolute(arena, repository->current, text_of(task->analyze.paths[i]));
        if (!path_is_below(absolute, repository->root)) {
            *error = text_format(arena, "--compare: %s is outside of the repository", task->analyze.paths[i]);
            return false;
        }
        Text below = path_below(absolute, repository->root);
        const char *path = below.length ? path_terminated(arena, below) : ".";
        struct stat info;
        if (stat(path, &info) == 0) vec_push(arena, paths, path);
    }
    return true;
}

static const char *const *absolute_paths(Arena *arena, Text current, const ProjectLimits *limits) {
    const char **paths = arena_new(arena, const char *, limits->search_path_count + 1u);
    for (uint32_t i = 0; i < limits->search_path_count; i++)
        paths[i] = path_terminated(arena, path_absolute(arena, current, text_of(limits->search_paths[i])));
    return paths;
}

static const Report *report_before(Arena *result, const CompareTask *task, Elsewhere *elsewhere, Text *error) {
    Strings paths = {0};
    AnalyzeOptions how = task->analyze;
    ReportOptions *wanted = arena_new(result, ReportOptions, 1);
    if (!name_paths(result, task, &paths, error)) return NULL;
    if (!paths.count) return arena_new(result, Report, 1);
    how.paths = paths.items;
    how.path_count = paths.count;
    how.limits.filter = (PathFilter){leave_out, leave_out_named, elsewhere};
    how.limits.search_paths = absolute_paths(result, task->report.repository.current, &task->analyze.limits);
    how.dump = NULL;
    *wanted = task->report;
    wanted->repository = (Repository){elsewhere->folder, elsewhere->folder, true};
    wanted->fail_over_us = 0;
    wanted->observed = (Text){0}; /* a log is of today's sources only */
    const Analysis *analysis = analyze(result, &how, error);
    if (!analysis) return NULL;
    wanted->by_file =
        wishes_by_file(result, analysis->program, task->rulebook, task->settings, elsewhere->root, error);
    return wanted->by_file ? report_make(result, analysis, wanted) : NULL;
}

const Report *compare_before(Arena *result, const CompareTask *task, Text *error) {
    Revision revision;
    if (!revision_enter(result, &task->report.repository, task->revision, &revision, error)) return NULL;
    Elsewhere elsewhere = {result, task->settings, revision.folder, task->report.repository.root};
    const Report *report = report_before(result, task, &elsewhere, error);
    revision_leave(result, &revision);
    return report;
}

const KnownList *compare_known(Arena *result, const Report *before, const KnownList *baseline) {
    KnownList *known = arena_new(result, KnownList, 1);
    for (uint32_t i = 0; baseline && i < baseline->count; i++) vec_push(result, known, baseline->items[i]);
    for (uint32_t i = 0; i < before->findings.count; i++)
        vec_push(result, known, known_of(result, before, &before->findings.items[i]));
    return known;
}

/* ---- loops ---- */

typedef struct Comparing {
    Arena *arena;
    const Report *before, *now;
    const LoopCost *totals_before, *totals_now;
    HotLoopId *then; /* [HotLoopId of now]: the loop it was then; 0 = new */
} Comparing;

static uint32_t loop_count(const Report *report) {
    return report->analysis ? report->analysis->findings->loops.count : 0;
}

static Text loop_file(const Comparing *self, const Report *report, const HotLoop *loop) {
    Text path = report->analysis->program->files.items[loop->file].path;
    return repository_path(self->arena, &report->options->repository, path);
}

static bool is_same_loop(const Comparing *self, HotLoopId then, HotLoopId now, bool by_name) {
    const HotLoop *a = &self->before->analysis->findings->loops.items[then];
    const HotLoop *b = &self->now->analysis->findings->loops.items[now];
    if (by_name ? !text_equal(a->name, b->name) : a->unit != b->unit) return false;
    return text_equal(loop_file(self, self->before, a), loop_file(self, self->now, b));
}

/* Matches loops by file and name; a loop whose head changed by file, kind and order. */
static void match_loops(Comparing *self) {
    bool *used = arena_new(self->arena, bool, loop_count(self->before) + 1u);
    self->then = arena_new(self->arena, HotLoopId, loop_count(self->now) + 1u);
    for (int by_name = 1; by_name >= 0; by_name--)
        for (HotLoopId now = 1; now < loop_count(self->now); now++)
            for (HotLoopId then = 1; !self->then[now] && then < loop_count(self->before); then++) {
                if (used[then] || !is_same_loop(self, then, now, by_name)) continue;
                used[then] = true;
                self->then[now] = then;
            }
}

/* ---- causes of growth ---- */

/* Whether the old file contained this source text, in any layout. */
static bool old_file_contains(Comparing *self, const SourceFile *file, Text words) {
    const Report *before = self->before;
    Text path = repository_path(self->arena, &self->now->options->repository, file->path);
    Text wanted = snippet_canonical(self->arena, words);
    for (FileId id = 1; before->analysis && id < before->analysis->program->files.count; id++) {
        const SourceFile *then = &before->analysis->program->files.items[id];
        if (!text_equal(repository_path(self->arena, &before->options->repository, then->path), path)) continue;
        Text all = snippet_canonical(self->arena, then->bytes);
        return !wanted.length || text_find(all, wanted) < all.length;
    }
    return false;
}

static Text line_around(const SourceFile *file, uint32_t at) {
    uint32_t start = at, end = at;
    while (start > 0 && file->bytes.bytes[start - 1] != '\n') start--;
    while (end < file->bytes.length && file->bytes.bytes[end] != '\n') end++;
    return text_slice(file->bytes, start, end);
}

/* "called by `step(x)` (main.py:4)": the reasons whose lines are new, else all reasons why the code is hot. */
static Text reasons_text(Comparing *self, const Site *site, bool only_new) {
    Text text = TEXT("");
    uint32_t count = 0;
    for (uint32_t i = 0; i < site->reason_count && count < 3; i++) {
        const Reason *reason = &site->reasons[i];
        const SourceFile *file = &self->now->analysis->program->files.items[reason->file];
        bool is_new = !old_file_contains(self, file, line_around(file, reason->span.start));
        if (only_new ? !is_new || reason->role == ROLE_WAIT : reason->role != ROLE_HOT) continue;
        Text place = place_text(self->arena, file, reason->span.start);
        text = text_format(self->arena, "%.*s%s%.*s (%.*s:%.*s)", SHOWN(text), count++ ? "; " : "",
                           SHOWN(reason->text), SHOWN(file->path), SHOWN(place));
    }
    return text.length || !only_new ? text : reasons_text(self, site, false);
}

static Text cause_of_new(Comparing *self, const Finding *finding) {
    Span statement = finding->site->statement;
    if (!old_file_contains(self, finding->file,
                           text_slice(finding->file->bytes, statement.start, statement.end)))
        return TEXT("new");
    Text reasons = reasons_text(self, finding->site, true);
    return text_format(self->arena, "an old line that became hot: %.*s", SHOWN(reasons));
}

static Text cause_of_known(Comparing *self, const Finding *finding, const Finding *then) {
    Text often = finding->site->frequency.text, before = then->site->frequency.text;
    if (text_equal(often, before)) return TEXT("as often as before; the loop around it changed");
    Text reasons = reasons_text(self, finding->site, true);
    return text_format(self->arena, "an old line that runs more often: now %.*s, before %.*s: %.*s",
                       SHOWN(often), SHOWN(before), SHOWN(reasons));
}

/* The part of its price that is charged to that loop. */
static double price_in(const Finding *finding, HotLoopId loop) {
    return finding && loop && finding->site->loop == loop ? report_middle(finding->cost->per_turn) : 0;
}

static Text cause_text(Comparing *self, const Finding *finding, const Finding *then, double growth_us) {
    if (!finding) return TEXT("gone");
    if (!then) return cause_of_new(self, finding);
    return growth_us < 0 ? TEXT("costs less than before") : cause_of_known(self, finding, then);
}

/* Either may be NULL: the finding is new, or gone. */
static void add_cause(Comparing *self, LoopGrowth *growth, const Finding *finding, const Finding *then) {
    double growth_us = price_in(finding, growth->loop) - price_in(then, self->then[growth->loop]);
    if (fabs(growth_us) < noise_us) return;
    Text text = cause_text(self, finding, then, growth_us);
    vec_push(self->arena, &growth->causes, ((Cause){finding ? finding : then, growth_us, text}));
    growth->rest_us -= growth_us;
}

static int by_growth(const void *left, const void *right) {
    const Cause *a = left, *b = right;
    if (a->growth_us != b->growth_us) return a->growth_us > b->growth_us ? -1 : 1;
    return a->finding->id < b->finding->id ? -1 : a->finding->id > b->finding->id;
}

static bool was_there(const Report *now, const Finding *finding) {
    for (uint32_t i = 0; i < now->before.count; i++)
        if (now->before.items[i].finding.id == finding->id) return true;
    return false;
}

static bool is_gone(const Comparing *self, const Finding *then) {
    const Report *now = self->now;
    for (uint32_t i = 0; i < now->before.count; i++)
        if (now->options->known->items[now->before.items[i].as].finding == then) return false;
    return true;
}

static void find_causes(Comparing *self, LoopGrowth *growth) {
    const Report *now = self->now;
    growth->rest_us = growth->growth_us;
    for (uint32_t i = 0; i < now->findings.count; i++) {
        const Finding *finding = &now->findings.items[i];
        if (finding->id && !was_there(now, finding)) add_cause(self, growth, finding, NULL);
    }
    for (uint32_t i = 0; i < now->before.count; i++) {
        const Finding *then = now->options->known->items[now->before.items[i].as].finding;
        if (then) add_cause(self, growth, &now->before.items[i].finding, then);
    }
    for (uint32_t i = 0; i < self->before->findings.count; i++)
        if (is_gone(self, &self->before->findings.items[i]))
            add_cause(self, growth, NULL, &self->before->findings.items[i]);
    if (growth->causes.count > 1) qsort(growth->causes.items, growth->causes.count, sizeof(Cause), by_growth);
}

/* ---- the comparison ---- */

static LoopGrowth growth_of(Comparing *self, HotLoopId now, double max_growth_us) {
    HotLoopId then = self->then[now];
    const LoopCost *after = &self->totals_now[now];
    LoopGrowth growth = {.loop = now, .is_new = !then, .growth_us = report_middle(after->all)};
    double turn_us = report_middle(then ? self->totals_before[then].turn : after->turn);
    if (then) growth.growth_us -= report_middle(self->totals_before[then].all);
    growth.share = turn_us > 0 ? growth.growth_us / turn_us : 0;
    growth.too_much = growth.growth_us > max_growth_us;
    if (fabs(growth.growth_us) >= noise_us) find_causes(self, &growth);
    return growth;
}

static int by_loop_growth(const void *left, const void *right) {
    const LoopGrowth *a = left, *b = right;
    if (a->growth_us != b->growth_us) return a->growth_us > b->growth_us ? -1 : 1;
    return a->loop < b->loop ? -1 : a->loop > b->loop;
}

const Comparison *compare_reports(Arena *result, const Report *before, const Report *now, const char *revision,
                                  double max_growth_us) {
    Comparing self = {.arena = result, .before = before, .now = now};
    Comparison *comparison = arena_new(result, Comparison, 1);
    uint32_t still = 0;
    comparison->revision = text_of(revision);
    comparison->max_growth_us = max_growth_us;
    self.totals_now = report_totals(result, now, true);
    if (before->analysis) self.totals_before = report_totals(result, before, false);
    match_loops(&self);
    for (HotLoopId id = 1; id < loop_count(now); id++) {
        LoopGrowth growth = growth_of(&self, id, max_growth_us);
        if (fabs(growth.growth_us) < noise_us) continue;
        vec_push(result, &comparison->loops, growth);
        comparison->fails |= growth.too_much;
    }
    for (uint32_t i = 0; i < now->before.count; i++)
        still += now->options->known->items[now->before.items[i].as].finding != NULL;
    comparison->gone = before->findings.count - still;
    if (comparison->loops.count > 1)
        qsort(comparison->loops.items, comparison->loops.count, sizeof(LoopGrowth), by_loop_growth);
    return comparison;
}
