#include "remarks.h"
#include "contract.h"

static void add(Arena *arena, Remarks *remarks, const Allowance *allowance, HazardId hazard, Span span) {
    Site site = {.file = allowance->file,
                 .span = span,
                 .statement = allowance->comment,
                 .hazard = hazard,
                 .confidence = CONFIDENCE_CERTAIN,
                 .level = LEVEL_WARNING,
                 .frequency = {.unit = UNIT_NONE, .text = TEXT("not at all: it is a comment")}};
    if (hazard) vec_push(arena, &remarks->sites, site);
}

static Span span_of(const SourceFile *file, Text word) {
    uint32_t start = (uint32_t)(word.bytes - file->bytes.bytes);
    return (Span){start, start + word.length};
}

static void add_unused(Arena *arena, const Analysis *analysis, Remarks *remarks, const Allowance *allowance) {
    const SourceFile *file = &analysis->program->files.items[allowance->file];
    HazardId hazard = rulebook_finds(analysis->rulebook, FINDS_comment_unused);
    if (allowance->used == 0) {
        add(arena, remarks, allowance, hazard, allowance->pragma);
        return;
    }
    for (uint32_t i = 0; i < allowance->rule_count; i++)
        if (!allowance->rule_used[i])
            add(arena, remarks, allowance, hazard, span_of(file, allowance->rules[i]));
}

/* `# syncl: hott` would be a promise that nobody keeps. */
static void add_unknown(Arena *arena, const Analysis *analysis, Remarks *remarks) {
    const Contracts *contracts = contracts_read(arena, analysis->program);
    HazardId hazard = rulebook_finds(analysis->rulebook, FINDS_comment_unknown);
    for (ContractId id = 1; id < contracts->items.count; id++) {
        const Contract *contract = &contracts->items.items[id];
        if (contract->kind != CONTRACT_UNKNOWN && contract->stmt) continue;
        if (!analysis->program->files.items[contract->file].reported) continue;
        Allowance comment = {.file = contract->file, .comment = contract->words};
        add(arena, remarks, &comment, hazard, contract->words);
    }
}

Remarks *remarks_make(Arena *result, const Analysis *analysis, RemarkWishes wishes) {
    Remarks *remarks = arena_new(result, Remarks, 1);
    remarks->cost = (SiteCost){.about_zero = true, .text = TEXT("nothing")};
    vec_push(result, &remarks->sites, (Site){0});
    add_unknown(result, analysis, remarks);
    HazardId reasonless = rulebook_finds(analysis->rulebook, FINDS_comment_unreasoned);
    for (uint32_t i = 0; i < analysis->suppressions->allowances.count; i++) {
        const Allowance *allowance = &analysis->suppressions->allowances.items[i];
        if (wishes.unused) add_unused(result, analysis, remarks, allowance);
        if (wishes.reasons && !allowance->is_noqa && !allowance->reason.length)
            add(result, remarks, allowance, reasonless, allowance->pragma);
    }
    return remarks;
}
