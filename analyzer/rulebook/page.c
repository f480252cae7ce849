#include "page.h"

typedef struct Cursor {
    Text bytes;
    uint32_t at, line;
} Cursor;

typedef struct Splitter {
    Arena *arena;
    Page *page;
    uint8_t section;
    uint32_t section_start;
    bool message_done;
} Splitter;

static const char *const SECTION_NAMES[SECTION_COUNT] = {
    "title", "Why it waits", "Instead", "Facts", "Reported", "Quiet", "Remedies", "other",
};

const char *page_section_name(PageSection section) { return SECTION_NAMES[section]; }

bool page_is_remedy(const PageFence *fence) {
    return fence->section == SECTION_REMEDIES && text_equal(fence->info, TEXT("python remedy"));
}

static Text trimmed(Text text) {
    uint32_t start = 0, end = text.length;
    while (start < end && (unsigned char)text.bytes[start] <= ' ') start++;
    while (end > start && (unsigned char)text.bytes[end - 1] <= ' ') end--;
    return text_slice(text, start, end);
}

/* The next line without its end; false at the end of the bytes. */
static bool next_line(Cursor *cursor, Text *line) {
    if (cursor->at >= cursor->bytes.length) return false;
    uint32_t end = cursor->at;
    while (end < cursor->bytes.length && cursor->bytes.bytes[end] != '\n') end++;
    *line = text_slice(cursor->bytes, cursor->at, end);
    if (text_ends(*line, TEXT("\r"))) line->length--;
    cursor->at = end < cursor->bytes.length ? end + 1 : end;
    cursor->line++;
    return true;
}

static void read_title(Page *page, Text title) {
    uint32_t colon = 0, open = 0;
    while (open < title.length && title.bytes[open] != '(') open++;
    while (colon < open && title.bytes[colon] != ':') colon++;
    page->name = trimmed(text_slice(title, 0, colon));
    if (colon < open) page->part = trimmed(text_slice(title, colon + 1, open));
    Text code = trimmed(text_slice(title, open, title.length));
    if (text_starts(code, TEXT("(")) && text_ends(code, TEXT(")")))
        page->code = text_slice(code, 1, code.length - 1);
}

/* Any heading that starts with "Why" counts: timing pages say "Why it is wrong" and the like. */
static uint8_t section_of(Text heading) {
    if (text_starts(heading, TEXT("Why"))) return SECTION_WHY;
    for (uint8_t i = SECTION_INSTEAD; i < SECTION_OTHER; i++)
        if (text_equal(heading, text_of(SECTION_NAMES[i]))) return i;
    return SECTION_OTHER;
}

static void end_section(Splitter *splitter, Text bytes, uint32_t end) {
    splitter->page->sections[splitter->section] = trimmed(text_slice(bytes, splitter->section_start, end));
}

static void add_to_message(Splitter *splitter, Text line) {
    Page *page = splitter->page;
    if (!line.length) {
        splitter->message_done = page->message.length > 0;
        return;
    }
    page->message = page->message.length
                        ? text_format(splitter->arena, "%.*s %.*s", SHOWN(page->message), SHOWN(line))
                        : line;
}

static const char *const FIELDS[] = {"Kind:", "Finds:", "Does:", "Trace:", "Operators:", "Kernels:", "Mend:"};

/* The index of the field that a line is; the number of fields where it is none. */
static size_t field_of(Text line) {
    size_t i = 0;
    while (i < sizeof FIELDS / sizeof *FIELDS && !text_starts(line, text_of(FIELDS[i]))) i++;
    return i;
}

bool page_is_field(Text line) { return field_of(line) < sizeof FIELDS / sizeof *FIELDS; }

/* Reads a field such as `Kind: timing` above the message. */
static bool read_field(Arena *arena, Page *page, Text line) {
    Text *const values[] = {&page->kind,      &page->finds,   &page->does, &page->trace,
                            &page->operators, &page->kernels, &page->mend};
    size_t field = field_of(line);
    if (page->message.length || !page_is_field(line)) return false;
    Text value = trimmed(text_slice(line, (uint32_t)strlen(FIELDS[field]), line.length)), *all = values[field];
    bool more = all == &page->mend && all->length; /* the only field that may be repeated */
    *all = more ? text_format(arena, "%.*s\n%.*s", (int)all->length, all->bytes, SHOWN(value)) : value;
    return true;
}

static void read_head_line(Splitter *splitter, Text line) {
    Page *page = splitter->page;
    if (text_starts(line, TEXT("# ")) && !page->name.length)
        read_title(page, text_slice(line, 2, line.length));
    else if (!read_field(splitter->arena, page, line) && !splitter->message_done)
        add_to_message(splitter, line);
}

/* Reads a fence up to its closing backticks; an unclosed one ends with the page. */
static void read_fence(Splitter *splitter, Cursor *cursor, Text opening) {
    PageFence fence = {.section = splitter->section,
                       .info = trimmed(text_slice(opening, 3, opening.length)),
                       .line = cursor->line + 1};
    uint32_t start = cursor->at, end = cursor->at;
    Text line;
    while (next_line(cursor, &line)) {
        if (text_starts(line, TEXT("```"))) {
            fence.closed = true;
            break;
        }
        end = cursor->at;
    }
    fence.body = text_slice(cursor->bytes, start, end);
    vec_push(splitter->arena, &splitter->page->fences, fence);
}

Page page_split(Arena *arena, Text bytes) {
    Page page = {0};
    Splitter splitter = {.arena = arena, .page = &page, .section = SECTION_HEAD};
    Cursor cursor = {.bytes = bytes};
    for (;;) {
        uint32_t start = cursor.at;
        Text line;
        if (!next_line(&cursor, &line)) break;
        if (text_starts(line, TEXT("## "))) {
            end_section(&splitter, bytes, start);
            splitter.section = section_of(trimmed(text_slice(line, 3, line.length)));
            splitter.section_start = cursor.at;
        } else if (text_starts(line, TEXT("```"))) {
            read_fence(&splitter, &cursor, line);
        } else if (splitter.section == SECTION_HEAD) {
            read_head_line(&splitter, trimmed(line));
        }
    }
    end_section(&splitter, bytes, bytes.length);
    return page;
}

Text page_first_paragraph(Arena *arena, Text section) {
    uint32_t start = 0;
    while (start < section.length && section.bytes[start] == '\n') start++;
    if (start == section.length) return TEXT("");
    uint32_t end = start;
    while (end < section.length &&
           !(section.bytes[end] == '\n' && (end + 1 == section.length || section.bytes[end + 1] == '\n')))
        end++;
    char *bytes = arena_copy(arena, section.bytes + start, end - start);
    for (uint32_t i = 0; i < end - start; i++)
        if (bytes[i] == '\n') bytes[i] = ' ';
    return (Text){bytes, end - start};
}
