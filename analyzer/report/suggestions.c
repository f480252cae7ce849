#include "suggestions.h"
#include "markup.h"
#include "place.h"

/* Edits of one file on the same or adjacent lines. */
typedef struct Block {
    const SourceFile *file;
    const FixEdit *edits;
    uint32_t count;
    Span lines; /* bytes of the file, without the last line end */
} Block;

static uint32_t line_start(Text bytes, uint32_t at) {
    while (at > 0 && bytes.bytes[at - 1] != '\n') at--;
    return at;
}

static uint32_t line_end(Text bytes, uint32_t at) {
    while (at < bytes.length && bytes.bytes[at] != '\n') at++;
    return at;
}

/* A deleted line goes with its line end, so the next line is part of the block. */
static Block block_from(const Report *report, const FixEdit *edits, uint32_t count) {
    const SourceFile *file = &report->analysis->program->files.items[edits[0].file];
    Block block = {file, edits, 0, {line_start(file->bytes, edits[0].span.start), 0}};
    for (; block.count < count && edits[block.count].file == edits[0].file; block.count++) {
        Span span = edits[block.count].span;
        if (block.count && line_start(file->bytes, span.start) > block.lines.end + 1) break;
        block.lines.end = line_end(file->bytes, span.end);
    }
    return block;
}

static Text made_of(Arena *arena, const Block *block) {
    Output made = {.arena = arena};
    uint32_t at = block->lines.start;
    for (uint32_t i = 0; i < block->count; at = block->edits[i++].span.end) {
        output_bytes(&made, text_slice(block->file->bytes, at, block->edits[i].span.start));
        output_bytes(&made, block->edits[i].text);
    }
    output_bytes(&made, text_slice(block->file->bytes, at, block->lines.end));
    return (Text){made.bytes.items ? made.bytes.items : "", made.bytes.count};
}

/* One backtick more than the longest run in the text, so that nothing in it ends the block. */
static uint32_t fence_of(Text text) {
    uint32_t most = 2, run = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        run = text.bytes[i] == '`' ? run + 1 : 0;
        if (run > most) most = run;
    }
    return most + 1;
}

/* Written as it is, except characters that could drive a terminal. */
static void write_source(Output *output, Text text) {
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        bool plain = byte >= ' ' || byte == '\t' || byte == '\n' || byte == '\r';
        (plain && byte != 0x7F ? output_bytes : output_clean)(output, text_slice(text, i, i + 1));
    }
}

static void write_block(Output *output, const Report *report, const Block *block) {
    Text made = made_of(output->arena, block);
    uint32_t fence = fence_of(made);
    uint32_t first = place_line(block->file, block->lines.start),
             last = place_line(block->file, block->lines.end);
    Text path = repository_path(output->arena, &report->options->repository, block->file->path);
    markup_text(output, path, "|&<>[]()*_`~\\#@!:{}$\"'");
    output_format(output, "&#58;%u", first);
    if (last > first) output_format(output, " to %u", last);
    output_text(output, "\n\n");
    for (uint32_t i = 0; i < fence; i++) output_text(output, "`");
    output_text(output, "suggestion\n");
    write_source(output, made);
    output_text(output, "\n");
    for (uint32_t i = 0; i < fence; i++) output_text(output, "`");
    output_text(output, "\n\n");
}

static bool is_suggested(const Report *report, const Finding *finding) {
    const Fix *fix = finding->site->fix;
    return finding->id && fix && !fix->doubt.length && !finding->file->notebook &&
           report_gains(report, finding);
}

static void write_fix(Output *output, const Report *report, const Fix *fix) {
    for (uint32_t i = 0; i < fix->edit_count;) {
        Block block = block_from(report, &fix->edits[i], fix->edit_count - i);
        write_block(output, report, &block);
        i += block.count;
    }
}

void suggestions_write(Output *output, const Report *report, uint32_t limit) {
    uint32_t count = 0, left = 0;
    for (uint32_t i = 0; i < report->findings.count; i++)
        count += is_suggested(report, &report->findings.items[i]);
    if (!count) return;
    output_format(output,
                  "<details><summary>Safe fixes of %u finding%s, as `syncl --fix` makes them</summary>\n\n",
                  count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < report->findings.count; i++) {
        uint32_t before = output->bytes.count;
        if (!is_suggested(report, &report->findings.items[i])) continue;
        if (!left) write_fix(output, report, report->findings.items[i].site->fix);
        if (!left && output->bytes.count < limit) continue;
        output->bytes.count = before;
        left++;
    }
    if (left) output_format(output, "%u more with `syncl --diff`.\n\n", left);
    output_text(output, "</details>\n");
}
