/* Comments that allow, promise and say: line i of the input stands behind line i of a training loop; --add-allow then
   writes more of them, with the last line as their reason. */
#include "add_allow.h"
#include "fuzz.h"

static Text fuzz_commented(Arena *arena, Text lines, Text *last) {
    static const char *const code[] = {
        "import torch",
        "x = torch.ones(3, device='cuda', requires_grad=True)",
        "def helper(v):",
        "    return v.item()",
        "for step in range(100):",
        "    y = x * 2",
        "    y.sum().backward()",
        "    print(x.sum().item(),",
        "          x)",
        "    z = (x > 0).nonzero()",
        "    with torch.no_grad():",
        "        helper(x)",
        "    helper(y); s = '''",
        "    '''",
    };
    Output made = {.arena = arena};
    uint32_t start = 0, end;
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++, start = end < lines.length ? end + 1 : end) {
        for (end = start; end < lines.length && lines.bytes[end] != '\n';) end++;
        *last = text_slice(lines, start, end);
        output_text(&made, code[i]);
        output_text(&made, last->length ? "  # " : "");
        output_bytes(&made, *last);
        output_text(&made, "\n");
    }
    *last = text_slice(lines, start, lines.length);
    return (Text){made.bytes.items, made.bytes.count};
}

static void fuzz_comments(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text last = {0}, error = {0};
    Added added = {0};
    const char *path = fuzz_file(fuzz, &arena, "input.py", fuzz_commented(&arena, bytes, &last));
    const Analysis *analysis = fuzz_analyze(&arena, path, NULL);
    if (analysis) {
        const Report *report = report_make(&arena, analysis, &fuzz->options);
        uint32_t errors =
            analysis->program->files.count > 1 ? analysis->program->files.items[1].model->error_count : 0;
        fuzz_report(&arena, analysis, &fuzz->options);
        if (add_allow(&arena, report, text_format(&arena, "%.*s", (int)last.length, last.bytes).bytes, &added,
                      &error)) {
            analysis = fuzz_analyze(&arena, path, NULL);
            uint32_t now =
                analysis->program->files.count > 1 ? analysis->program->files.items[1].model->error_count : 0;
            fuzz_holds(now <= errors, "--add-allow broke the source");
            fuzz_report(&arena, analysis, &fuzz->options);
        }
    }
    arena_free(&arena);
}
