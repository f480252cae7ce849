/* A trace of torch.profiler, plain or packed: read, replayed, joined with the sample's findings, reported. */
#include "dump_trace.h"
#include "fuzz.h"

static void fuzz_trace(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    Analysis traced = *fuzz->sample;
    LedgerInput input = {.path = fuzz_file(fuzz, &arena, "input.json", bytes),
                         .program = traced.program,
                         .book = traced.rulebook,
                         .findings = traced.findings,
                         .profile = traced.profile,
                         .assumed = traced.costs};
    Ledger *ledger = ledger_make(&arena, &input, &error);
    fuzz_holds(ledger || error.length, "no ledger and no reason");
    if (ledger) {
        char *dumped = NULL;
        size_t length = 0;
        FILE *memory = open_memstream(&dumped, &length);
        traced.ledger = ledger;
        traced.costs = traced_costs(&arena, traced.findings, traced.costs, ledger);
        fuzz_report(&arena, &traced, &fuzz->options);
        if (memory) dump_trace(memory, traced.program, traced.findings, ledger);
        if (memory) fclose(memory);
        free(dumped);
    }
    arena_free(&arena);
}
