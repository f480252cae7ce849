/* The plan, then a block of at most BLOCK_LINES lines for each finding: headline, waiting line, cost, what to
   write, and the line that the value comes from if that is another one. */
#include "cost_text.h"
#include "glyph.h"
#include "observed.h"
#include "place.h"
#include "report_lines.h"
#include "snippet.h"

enum { BLOCK_LINES = 6, DOUBTS_TOLD = 3 };

typedef struct Block {
    Output *output;
    const Report *report;
    const Finding *finding;
    uint32_t width, number_width;
    uint32_t lines; /* remaining of BLOCK_LINES */
} Block;

/* ---- the headline ---- */

/* The message; without the expression, which is shown below, where there is no room. */
static Text headline_message(const Block *block, uint32_t room) {
    Arena *arena = block->output->arena;
    const Rulebook *book = block->report->analysis->rulebook;
    const Finding *finding = block->finding;
    Text template = rulebook_text(book, book->hazards[finding->site->hazard].message);
    Text clause = lines_clause(template), empty = report_filled(arena, clause, (Text){"", 0});
    Text source = snippet_line(arena, source_text(finding->file, finding->site->span), 0);
    bool fits = glyph_width(source) + glyph_width(empty) <= room;
    if (!fits && text_starts(empty, TEXT("`` ")))
        return columns_cut(arena, text_slice(empty, 3, empty.length), room);
    return columns_cut(arena, report_filled(arena, clause, source), room);
}

static void write_headline(Block *block) {
    Output *output = block->output;
    uint32_t from = output->bytes.count;
    const Finding *finding = block->finding;
    Text place = report_place(output->arena, finding), level = report_level(finding->site->level);
    Text rule =
        text_format(output->arena, "%.*s[%.*s %.*s]", SHOWN(level), SHOWN(finding->rule), SHOWN(finding->code));
    uint32_t taken = glyph_width(place) + glyph_width(rule) + 3;
    lines_head(output, finding, place, rule);
    if (taken < block->width) {
        output_text(output, " ");
        output_bytes(output, headline_message(block, block->width - taken));
    }
    output_text(output, "\n");
    columns_fold(output, from, block->width);
    for (uint32_t at = from; at < output->bytes.count; at++) block->lines -= output->bytes.items[at] == '\n';
}

/* ---- what it costs ---- */

static Text joined(Arena *arena, Text text, Text more) {
    if (!more.length) return text;
    return text_format(arena, "%.*s; %.*s", SHOWN(text), SHOWN(more));
}

/* "8 times every training step"; empty for once, as the price says that. */
static Text how_often(Arena *arena, const Site *site) {
    bool once = site->frequency.every == 1 && site->frequency.times == 1;
    Text also = site->also_count ? text_format(arena, "%u other loop%s too", site->also_count,
                                               site->also_count == 1 ? "" : "s")
                                 : (Text){"", 0};
    Text often = once ? (Text){"", 0} : site->frequency.text;
    if (often.length && also.length) return text_format(arena, "%.*s, %.*s", SHOWN(often), SHOWN(also));
    return often.length ? often : also;
}

static Text label_of(const Block *block) {
    Arena *arena = block->output->arena;
    const Finding *finding = block->finding;
    const Site *site = finding->site;
    Text text = finding->cost->traced ? finding->cost->text : cost_text_short(arena, site, finding->cost);
    text = joined(arena, text, how_often(arena, site));
    if (site->need == NEED_NEEDED) text = joined(arena, text, TEXT("the host needs the value here"));
    text = joined(arena, text, text_of(cost_text_paid(finding->cost)));
    if (!block->report->observed) return text;
    uint32_t index = (uint32_t)(finding - block->report->findings.items);
    return joined(arena, text, observed_text(arena, block->report->observed, index));
}

/* ---- lines below ---- */

/* Writes `label: text` in at most so many lines, cut. */
static void write_told(Block *block, const char *label, Text text, uint32_t most) {
    Output *output = block->output, wrapped = {.arena = output->arena};
    uint32_t indent = block->number_width + 3 + (uint32_t)strlen(label) + 2, lines = 0, at = 0;
    if (!most) return;
    output_wrapped(&wrapped, text, (Text){"", 0}, indent, block->width);
    Text all = {wrapped.bytes.items ? wrapped.bytes.items : "", wrapped.bytes.count};
    output_style(output, STYLE_DIM);
    output_format(output, "%*s = %s: ", (int)block->number_width, "", label);
    output_style(output, STYLE_PLAIN);
    for (uint32_t end; at < all.length && lines < most; at = end, lines++) {
        for (end = at; end < all.length && all.bytes[end] != '\n';) end++;
        bool last = lines + 1 == most, cut = last && end < all.length;
        Text line = text_slice(all, at, end);
        uint32_t room = block->width - (lines ? 0 : indent);
        if (cut) line = columns_cut(output->arena, text_format(output->arena, "%.*s ....", SHOWN(line)), room);
        output_bytes(output, lines ? line : columns_cut(output->arena, line, room));
        output_text(output, "\n");
        end += end < all.length;
    }
    block->lines -= lines ? lines : 1;
    if (!lines) output_text(output, "\n");
}

/* Why its confidence is not higher: what speaks against it or, for a likely one, what it rests on. */
static Text doubts_of(Arena *arena, const Site *site) {
    bool likely = site->confidence == CONFIDENCE_LIKELY;
    Text text = likely ? TEXT("likely, not certain") : TEXT("possible only");
    const char *mark = ": ";
    unsigned told = 0;
    for (int veils = 0; veils <= likely && !told; veils++)
        for (unsigned bit = 0; bit < EVIDENCES && !(likely && told == DOUBTS_TOLD); bit++) {
            bool says = veils ? evidence_veils(evidence(bit)) : evidence_doubts(bit);
            if (!(site->evidence >> bit & 1) || !says) continue;
            text = text_format(arena, "%.*s%s%s", SHOWN(text), mark, evidence_says(bit));
            mark = "; ";
            told++;
        }
    return text;
}

/* ---- the block ---- */

static uint32_t digits_of(uint32_t number) {
    uint32_t digits = 1;
    for (; number >= 10; number /= 10) digits++;
    return digits;
}

/* The reason with the line that the value comes from, if that is another line. */
static const Reason *cause_of(const Block *block) {
    const Site *site = block->finding->site;
    if (site->copy_to_device) return NULL; /* its reasons are about the device */
    for (uint32_t i = 0; i < site->reason_count; i++) {
        const Reason *reason = &site->reasons[i];
        if (reason->role != ROLE_GPU) continue;
        const SourceFile *file = &block->report->analysis->program->files.items[reason->file];
        bool here = file == block->finding->file &&
                    place_line(file, reason->span.start) >= block->finding->statement_line &&
                    place_line(file, reason->span.start) <= block->finding->statement_end_line;
        return here ? NULL : reason;
    }
    return NULL;
}

static void write_cause(Block *block, const Reason *reason) {
    const SourceFile *file = &block->report->analysis->program->files.items[reason->file];
    Output *output = block->output;
    Text line = place_text(output->arena, file, reason->span.start);
    Text source = snippet_whole_line(output->arena, file, reason->span.start);
    Text place = file == block->finding->file
                     ? text_format(output->arena, "%*.*s", (int)block->number_width, SHOWN(line))
                     : text_format(output->arena, "%*s = %.*s:%.*s", (int)block->number_width, "",
                                   SHOWN(file->path), SHOWN(line));
    Text all = text_format(output->arena, "%.*s | %.*s", SHOWN(place), SHOWN(source));
    output_style(output, STYLE_DIM);
    output_bytes(output, columns_cut(output->arena, all, block->width));
    output_style(output, STYLE_PLAIN);
    output_text(output, "\n");
    block->lines--;
}

static void write_block(Output *output, const Report *report, const Finding *finding) {
    Block block = {output, report, finding, lines_width(output), digits_of(finding->end.line), BLOCK_LINES};
    bool unsure = finding->id && finding->site->confidence != CONFIDENCE_CERTAIN;
    write_headline(&block);
    const Reason *cause = cause_of(&block);
    if (cause) write_cause(&block, cause);
    uint32_t column =
        snippet_one(output, finding->file, finding->site->span, block.number_width, block.width, STYLE_WARNING);
    Text label = label_of(&block);
    bool beside = column + 1 + glyph_width(label) <= block.width;
    if (beside) {
        output_text(output, " ");
        output_clean(output, label);
    }
    output_text(output, "\n");
    block.lines -= 2;
    uint32_t kept = 1 + unsure;
    if (!beside) write_told(&block, "cost", label, block.lines > kept ? block.lines - kept : 0);
    if (unsure) write_told(&block, "sure", doubts_of(output->arena, finding->site), 1);
    write_told(&block, "help", finding->suggestion, block.lines);
    output_text(output, "\n");
}

static void write_note(Output *output, const Report *report, uint32_t i) {
    const Finding *finding = &report->findings.items[i];
    Block block = {output, report, finding, lines_width(output), 1, BLOCK_LINES};
    lines_finding(output, report, i, 0);
    if (finding->id && finding->site->confidence != CONFIDENCE_CERTAIN)
        write_told(&block, "sure", doubts_of(output->arena, finding->site), 1);
}

static void write_notes(Output *output, const Report *report) {
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].site->level == LEVEL_NOTE) write_note(output, report, i);
    if (report->notes) output_text(output, "\n");
}

void report_full(Output *output, const Report *report) {
    if (!report->options->quiet) lines_plan(output, report);
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].site->level >= LEVEL_WARNING)
            write_block(output, report, &report->findings.items[i]);
    write_notes(output, report);
    if (report->options->quiet)
        lines_broken(output, report);
    else
        lines_end(output, report, true);
}
