#include "cost_text.h"
#include <math.h>

/* If the high end is so many times the low end, it is not printed as a bound: "44 us to 190 s" tells nothing. */
enum { NOT_KNOWN = 1000 };

/* A time as a unit and two digits. */
typedef struct Said {
    double number;
    const char *unit;
} Said;

static double two_digits(double number) {
    if (number <= 0) return 0;
    double step = pow(10, floor(log10(number)) - 1);
    return round(number / step) * step;
}

static Said say(double us) {
    double number = two_digits(us);
    if (number < 0.095) return (Said){0, "us"};
    if (number < 1e3) return (Said){number, "us"};
    if (number < 1e6) return (Said){number / 1e3, "ms"};
    return (Said){number / 1e6, "s"};
}

static Text digits(Arena *arena, double number) {
    return text_format(arena, "%.10g", round(number * 1e3) / 1e3);
}

Text cost_text_us(Arena *result, double us) {
    Said said = say(us);
    return text_format(result, "%s %s", digits(result, said.number).bytes, said.unit);
}

Text cost_text_range(Arena *result, CostRange range) {
    Said low = say(range.low_us), high = say(range.high_us);
    const char *last = cost_text_us(result, range.high_us).bytes;
    if (high.number <= 0) return text_format(result, "0 us");
    if (low.number <= 0) return text_format(result, "up to %s", last);
    if (range.high_us > NOT_KNOWN * range.low_us)
        return text_format(result, "%s or more", cost_text_us(result, range.low_us).bytes);
    if (low.unit != high.unit)
        return text_format(result, "%s to %s", cost_text_us(result, range.low_us).bytes, last);
    if (low.number >= high.number) return text_format(result, "%s", last);
    return text_format(result, "%s to %s", digits(result, low.number).bytes, last);
}

Text cost_text_only(Arena *result, const Frequency *frequency) {
    if (!frequency->only.length) return (Text){"", 0};
    bool own = text_starts(frequency->only, TEXT("without")) || text_starts(frequency->only, TEXT("where"));
    const char *with = own ? "" : "with ";
    return text_format(result, ", only %s%.*s", with, SHOWN(frequency->only));
}

/* "about 60 to 470 us", but "up to 12 us": an upper bound needs no "about". */
static Text about(Arena *arena, CostRange range) {
    Text text = cost_text_range(arena, range);
    bool bound = text_starts(text, TEXT("up to")) || text_ends(text, TEXT("or more"));
    return text_format(arena, "%s%.*s", bound ? "" : "about ", SHOWN(text));
}

static Text price(Arena *arena, const Site *site, const SiteCost *cost) {
    const Frequency *frequency = &site->frequency;
    bool each =
        frequency->gathered && frequency->every == 1; /* an iteration of the ledger is one of the batches that a
                                                         step accumulates */
    const char *unit = unit_one(frequency->gathered && !each ? UNIT_BATCH : frequency->unit);
    const char *run = about(arena, cost->per_execution).bytes;
    const char *turn = cost->about_zero ? "about zero" : about(arena, cost->per_turn).bytes;
    if (site->frequency.unit == UNIT_EPOCH)
        return text_format(arena, "%s each time it runs, once or a few times %s", cost->about_zero ? turn : run,
                           site->frequency.whole ? "a training run" : "an epoch");
    if (frequency->every == 1)
        return text_format(arena, "%s per %s", each && !cost->about_zero ? run : turn, unit);
    if (site->frequency.every == 0)
        return text_format(
            arena, "%s each time it runs; how often is not known (at an assumed once in so many: %s per %s)",
            run, turn, unit);
    return text_format(arena, "%s per %s (%s when it runs, once in %u)", turn, unit, run,
                       site->frequency.every);
}

static Text blocks(Arena *arena, const SiteCost *cost) {
    if (cost->blocked.high_us < fmax(1.5 * cost->per_execution.high_us, 1))
        return TEXT(""); /* avoids "up to 0 us" */
    bool needed = cost->blocked.high_us > 3 * cost->per_execution.high_us;
    return text_format(arena, "; the line itself blocks up to %s%s",
                       cost_text_us(arena, cost->blocked.high_us).bytes,
                       needed ? ", most of which the GPU needs anyway" : "");
}

const char *cost_text_paid(const SiteCost *cost) {
    bool before = cost->paid == PAID_BEFORE, held = cost->held;
    if (cost->paid == PAID_BY_NONE) return "";
    if (held)
        return before ? "a wait that stays stands right before it" : "a wait that stays stands right behind it";
    return before ? "a wait stands right before it: remove both" : "a wait stands right behind it: remove both";
}

static const char *paid(Arena *arena, const SiteCost *cost) {
    const char *text = cost_text_paid(cost);
    return *text ? text_format(arena, "; %s", text).bytes : "";
}

/* Text about a saving, if it is at least a third of the price. condition: " if ...", or empty. */
static Text saving(Arena *arena, Text said, double saved_us, double of_us, Text how, const char *condition) {
    if (saved_us < of_us / 3) return said;
    Said all = say(of_us), saved = say(saved_us);
    const char *unit = all.unit == saved.unit ? "" : text_format(arena, " %s", saved.unit).bytes;
    const char *much = text_format(arena, "%s%s of %s", digits(arena, saved.number).bytes, unit,
                                   cost_text_us(arena, of_us).bytes)
                           .bytes;
    return text_format(arena, "%.*s%s%.*s saves %s%s", SHOWN(said), said.length ? "; " : "", SHOWN(how),
                       saved_us > 0.95 * of_us ? "nearly all of it" : much, condition);
}

/* Moving a read to the end of the iteration is no gain where the host works before it queues again: nothing
   overlaps that work any more. (calib/validate: with 10 ms of augmentation in front, the move cost 6 ms.) */
Text cost_text_remedies(Arena *result, const Site *site, const SiteCost *cost) {
    const Remedies *remedies = &cost->remedies;
    const char *unit = unit_one(site->frequency.unit);
    Text said = {0};
    if (cost->about_zero || remedies->of_us < 20) return said;
    said = saving(result, said, remedies->moved_us, remedies->of_us,
                  text_format(result, "reading it at the end of the %s", unit),
                  " if the next batch is ready by then");
    said = saving(result, said, remedies->merged_us, remedies->of_us,
                  TEXT("reading it together with the next value"), "");
    return saving(result, said, remedies->seldom_us, remedies->of_us,
                  text_format(result, "reading it in one of %u turns", remedies->every), "");
}

Text cost_text_site(Arena *result, const Site *site, const SiteCost *cost) {
    return text_format(result, "%s%s%s", price(result, site, cost).bytes, blocks(result, cost).bytes,
                       paid(result, cost));
}

static Text short_price(Arena *result, const Site *site, const SiteCost *cost) {
    bool none = cost->text.length == 0 && cost->per_turn.high_us <= 0;
    if (none || site->unpriced || cost->uncalibrated)
        return none || site->unpriced ? TEXT("not priced") : cost->text;
    bool each = site->frequency.unit == UNIT_EPOCH || site->frequency.every == 0;
    bool step = site->frequency.gathered && site->frequency.every == 1;
    CostRange range = each || step ? cost->per_execution : cost->per_turn;
    if (cost->about_zero && !each) return TEXT("about zero");
    Unit unit = site->frequency.gathered && !step ? UNIT_BATCH : site->frequency.unit;
    return text_format(result, "%s %s%s", cost_text_range(result, range).bytes, each ? "each time" : "",
                       each ? "" : unit_a(unit));
}

Text cost_text_short(Arena *result, const Site *site, const SiteCost *cost) {
    enum { ONLY_SHORT = 20 }; /* characters of a condition that fit in the line */
    Text price = short_price(result, site, cost), only = cost_text_only(result, &site->frequency);
    if (site->frequency.only.length > ONLY_SHORT) only = TEXT(", only with an option");
    if (!only.length) return price;
    return text_format(result, "%.*s%.*s", SHOWN(price), SHOWN(only));
}

/* Which of host and GPU is slower, as far as known. */
static const char *regime(const LoopCost *cost) {
    if (cost->gpu.low_us > cost->host.high_us) return "the GPU sets the pace";
    if (cost->gpu.high_us < cost->host.low_us) return "the host sets the pace";
    return "host or GPU may set the pace";
}

static Text assumed(Arena *arena, const LoopCost *cost, const CostOptions *options) {
    double low = round(cost->operations_low), high = round(cost->operations_high);
    bool given = options && options->step_time_us > 0;
    const char *how = given && cost->longer
                          ? "as given; what is counted takes longer by the profile, see --calibrate"
                      : given ? "as given"
                              : "assumed";
    Text count = low == high ? text_format(arena, "%.0f", high) : text_format(arena, "%.0f to %.0f", low, high);
    return text_format(arena, "%s (%s), %s GPU operations, %s", cost_text_range(arena, cost->turn).bytes, how,
                       count.bytes, regime(cost));
}

/* What widens the range. options NULL: those given are not for this loop. */
static Text widened(Arena *arena, const HotLoop *loop, const LoopCost *cost, const CostOptions *options) {
    if (cost->hides)
        return TEXT("; loading in this process, or NumPy, may be hidden under the GPU's work today: a wait may "
                    "show it");
    if (loop->unseen && loop->unseen_text.length)
        return text_format(arena, "; `%.*s` could not be followed, which widens the range",
                           SHOWN(loop->unseen_text));
    if (!options) return TEXT("");
    if (options->step_time_us <= 0) return TEXT("; --step-time and --gpu-busy narrow the range");
    return options->gpu_busy <= 0 ? TEXT("; --gpu-busy narrows the range") : TEXT("");
}

static Text waits(Arena *arena, const LoopCost *cost) {
    if (cost->all.high_us <= 0) return TEXT("no waits");
    const char *all = about(arena, cost->all).bytes;
    if (cost->avoidable.high_us <= 0)
        return text_format(arena, "all waits cost %s together, none is known to be avoidable", all);
    return text_format(arena, "all avoidable waits cost %s together, all waits %s",
                       about(arena, cost->avoidable).bytes, all);
}

Text cost_text_loop(Arena *result, const HotLoop *loop, const LoopCost *cost, const CostOptions *options) {
    return text_format(result, "%s takes %s; %s%s", unit_a(loop->unit), assumed(result, cost, options).bytes,
                       waits(result, cost).bytes, widened(result, loop, cost, options).bytes);
}
