/* --statistics: counts by rule instead of findings, in the order of the findings. Prices of different loops do
   not add up, so a rule shows its dearest finding. */
#include "json.h"
#include "report.h"

typedef struct Row {
    uint32_t warnings, notes;
    const Finding *dearest;
} Row;

typedef struct Table {
    Row *rows;           /* by HazardId */
    VEC(HazardId) order; /* rules with findings, in the order of their first findings */
} Table;

static double price(const Finding *finding) { return cost_robust_us(finding->cost->per_turn); }

static Table count_rules(Arena *arena, const Report *report) {
    Table table = {.rows = arena_new(arena, Row, report->analysis->rulebook->hazard_count + 1u)};
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        Row *row = &table.rows[finding->site->hazard];
        if (!row->dearest) vec_push(arena, &table.order, finding->site->hazard);
        if (!row->dearest || price(finding) > price(row->dearest)) row->dearest = finding;
        if (finding->site->level >= LEVEL_WARNING)
            row->warnings++;
        else
            row->notes++;
    }
    return table;
}

void report_statistics(Output *output, const Report *report) {
    Table table = count_rules(output->arena, report);
    if (table.order.count) output_text(output, "warnings  notes  rule, and what its dearest finding costs\n");
    for (uint32_t i = 0; i < table.order.count; i++) {
        const Row *row = &table.rows[table.order.items[i]];
        output_format(output, "%8u  %5u  ", row->warnings, row->notes);
        output_style(output, STYLE_BOLD);
        output_clean(output, row->dearest->code);
        output_text(output, " ");
        output_clean(output, row->dearest->rule);
        output_style(output, STYLE_PLAIN);
        output_text(output, ": ");
        output_clean(output, row->dearest->cost->text);
        output_text(output, "\n");
    }
    if (report->options->quiet) return;
    output_clean(output, report_summary_line(output->arena, report));
    output_text(output, " ");
    output_clean(output, report_profile_line(output->arena, report));
    output_text(output, "\n");
}

void report_statistics_json(Output *output, const Report *report) {
    const Json document = json_start(output->arena), *json = &document;
    Table table = count_rules(output->arena, report);
    Value *array = json_array(json);
    for (uint32_t i = 0; i < table.order.count; i++) {
        const Row *row = &table.rows[table.order.items[i]];
        Value *object = json_object(json);
        json_add_text(json, object, "rule", row->dearest->rule);
        json_add_text(json, object, "code", row->dearest->code);
        json_add_count(json, object, "warnings", row->warnings);
        json_add_count(json, object, "notes", row->notes);
        json_add_text(json, object, "dearest", row->dearest->fingerprint);
        json_append(array, object);
    }
    json_add_count(json, json->root, "version", 1);
    json_add(json, json->root, "statistics", array);
    json_add_count(json, json->root, "broken", report->broken.count);
    json_write(output, json);
}
