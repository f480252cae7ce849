#ifndef SYNCL_FUZZ_LEDGER_H
#define SYNCL_FUZZ_LEDGER_H
/* What the targets of traces and of recordings share. */
#include "dump_trace.h"
#include "fuzz.h"

/* What a ledger says, in every way it is said. */
static inline void fuzz_ledger(const Fuzz *fuzz, Arena *arena, const Ledger *ledger, Text error) {
    Analysis traced = *fuzz->sample;
    char *dumped = NULL;
    size_t length = 0;
    fuzz_holds(ledger || error.length, "no ledger and no reason");
    FILE *memory = ledger ? open_memstream(&dumped, &length) : NULL;
    if (!memory) return;
    traced.ledger = ledger;
    traced.costs = traced_costs(arena, traced.findings, traced.costs, ledger);
    fuzz_report(arena, &traced, &fuzz->options);
    dump_trace(memory, traced.program, traced.findings, ledger);
    fclose(memory);
    free(dumped);
}

static inline LedgerInput fuzz_ledger_input(const Fuzz *fuzz) {
    const Analysis *sample = fuzz->sample;
    return (LedgerInput){.program = sample->program,
                         .book = sample->rulebook,
                         .findings = sample->findings,
                         .profile = sample->profile,
                         .assumed = sample->costs};
}

#endif
