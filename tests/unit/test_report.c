#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sample.h"
#include "json.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Bench {
    Arena arena;
    Sample sample;
} Bench;

static int start(void **state) {
    static Bench bench;
    bench = (Bench){0};
    sample_start(&bench.sample, &bench.arena);
    *state = &bench;
    return 0;
}

static int stop(void **state) {
    arena_free(&((Bench *)*state)->arena);
    return 0;
}

static Report *made(Sample *sample) { return sample_report(sample); }

static const char loop_source[] = "for x in loader:\n"
                                  "    a = loss.item()\n"
                                  "    b = other.item()\n"
                                  "    c = loss.item()\n";

static void dearest_come_first_then_places(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId first = sample_file(sample, "a.py", loop_source), second = sample_file(sample, "b.py", loop_source);
    SiteId cheap = sample_site(sample, first, "loss.item()", 0, 10);
    SiteId dear_late = sample_site(sample, first, "loss.item()", 1, 500);
    SiteId dear_other = sample_site(sample, second, "other.item()", 0, 500.2); /* the same to three digits */
    Report *report = made(sample);
    assert_int_equal(report->findings.count, 3);
    assert_int_equal(report->findings.items[0].id, dear_late);
    assert_int_equal(report->findings.items[1].id, dear_other);
    assert_int_equal(report->findings.items[2].id, cheap);
    assert_int_equal(report->warnings, 3);
    assert_true(report->fails);
}

static void selection_and_confidence_leave_out(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", loop_source);
    SiteId possible = sample_site(sample, file, "loss.item()", 0, 10),
           other = sample_site(sample, file, "other.item()", 0, 10);
    sample->findings.sites.items[possible].confidence = CONFIDENCE_POSSIBLE;
    sample->findings.sites.items[other].hazard = 2;
    sample->shown[2] = false;
    Report *report = made(sample);
    assert_int_equal(report->findings.count, 0);
    assert_int_equal(report->unsure, 1);
    assert_int_equal(report->deselected, 1);
    assert_false(report->fails);
    sample->options.min_confidence = CONFIDENCE_POSSIBLE;
    assert_int_equal(made(sample)->findings.count, 1);
}

static void notes_fail_only_when_asked(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", loop_source);
    SiteId id = sample_site(sample, file, "loss.item()", 0, 10);
    sample->findings.sites.items[id].level = LEVEL_NOTE;
    assert_false(made(sample)->fails);
    sample->options.fail_on = LEVEL_NOTE;
    assert_true(made(sample)->fails);
}

static Text fingerprint_of(Sample *sample, SiteId id) {
    Report *report = made(sample);
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].id == id) return report->findings.items[i].fingerprint;
    fail();
    return TEXT("");
}

static void assert_texts(Text a, Text b, bool equal) { assert_int_equal(text_equal(a, b), equal); }

static void fingerprints_survive_moved_lines_and_layout(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId before = sample_file(sample, "a.py", loop_source);
    FileId moved =
        sample_file(sample, "./a.py", "import torch\n\n\nfor x in loader:\n        a  =  loss .item( )\n");
    FileId other_file = sample_file(sample, "c.py", loop_source);
    SiteId old = sample_site(sample, before, "loss.item()", 0, 10);
    Text old_print = fingerprint_of(sample, old);
    sample->options.repository.current = TEXT("/repo/sub"); /* run from elsewhere, asked about the same file */
    sample->program.files.items[before].path = TEXT("../a.py");
    assert_texts(fingerprint_of(sample, old), old_print, true);
    sample->options.repository.current = TEXT("/repo");
    sample->program.files.items[before].path = TEXT("/repo/a.py");
    SiteId new = sample_site(sample, moved, "loss .item( )", 0, 10);
    /* Both stand in one analysis here, so the later of the two equals gets an index: the first keeps its name. */
    assert_texts(fingerprint_of(sample, old), old_print, true);
    assert_texts(fingerprint_of(sample, new), old_print, false);
    sample->findings.sites.items[old].hazard = 2;
    assert_texts(fingerprint_of(sample, new), old_print, true);
    assert_texts(fingerprint_of(sample, old), old_print, false);
    assert_texts(fingerprint_of(sample, sample_site(sample, other_file, "loss.item()", 0, 10)), old_print,
                 false);
}

static void equal_findings_have_names_of_their_own(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "a = loss.item()\na = loss.item()\na = loss.item()\n");
    SiteId one = sample_site(sample, file, "loss.item()", 0, 1),
           two = sample_site(sample, file, "loss.item()", 1, 1);
    Text first = fingerprint_of(sample, one), second = fingerprint_of(sample, two);
    assert_texts(first, second, false);
    (void)sample_site(sample, file, "loss.item()", 2, 1); /* a third below changes neither */
    assert_texts(fingerprint_of(sample, one), first, true);
    assert_texts(fingerprint_of(sample, two), second, true);
}

static void columns_are_code_points_and_ends_exclusive(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "é, 漢 = \"ß\", loss.item()\n");
    (void)sample_site(sample, file, "loss.item()", 0, 1);
    const Finding *finding = &made(sample)->findings.items[0];
    assert_int_equal(finding->start.line, 1);
    assert_int_equal(finding->start.column, 13);
    assert_int_equal(finding->end.column, 24);
}

static void messages_name_the_expression(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "a = (loss\n    .item(\n))\n");
    (void)sample_site(sample, file, "loss\n    .item(\n)", 0, 1);
    const Finding *finding = &made(sample)->findings.items[0];
    assert_texts(finding->message, TEXT("`loss.item()` reads a value."), true);
    assert_texts(finding->suggestion, TEXT("Keep it on the GPU, read it later."), true);
}

/* ---- the full form ---- */

static void assert_contains(Text text, const char *part) {
    if (!strstr(text.bytes, part)) fail_msg("no \"%s\" in:\n%s", part, text.bytes);
}

static void carets_stand_below_wide_letters_and_tabs(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "\t漢 = \"\xCC\x81\", loss.item()\n");
    (void)sample_site(sample, file, "loss.item()", 0, 1);
    Text text = sample_written(sample, report_full);
    assert_contains(text, "1 |     漢 = \"\xCC\x81\", loss.item()\n"
                          "  |              ^^^^^^^^^^^ 1 to 2 us a training step\n");
}

static void long_lines_are_cut_around_the_expression(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    char source[2000] = "";
    for (int i = 0; i < 300; i++) strcat(source, "a + ");
    strcat(source, "loss.item()");
    for (int i = 0; i < 100; i++) strcat(source, " + b");
    FileId file = sample_file(sample, "a.py", source);
    (void)sample_site(sample, file, "loss.item()", 0, 1);
    Text text = sample_written(sample, report_full);
    assert_contains(text, "1 | ...+ a");
    for (const char *line = text.bytes; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        assert_true(strcspn(line, "\n") < 150);
    const char *carets = strstr(text.bytes, "^^^^^^^^^^^"), *shown = strstr(text.bytes, " | ...");
    const char *caret_line = carets;
    while (caret_line[-1] != '\n') caret_line--;
    while (shown[-1] != '\n') shown--;
    assert_memory_equal(shown + (carets - caret_line), "loss.item()", 11);
}

static void notes_come_after_warnings_on_one_line(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", loop_source);
    SiteId note = sample_site(sample, file, "loss.item()", 0, 900);
    (void)sample_site(sample, file, "other.item()", 0, 5);
    sample->findings.sites.items[note].level = LEVEL_NOTE;
    Text text = sample_written(sample, report_full);
    const char *warning = strstr(text.bytes, "warning["), *noted = strstr(text.bytes, ": note ");
    assert_non_null(warning);
    assert_true(noted > warning);
    assert_contains(text, "a.py:2:9: note host-read `loss.item()`, 900 us to 1.8 ms a training step\n");
    assert_contains(text, "not your GPU: run `syncl --calibrate`, or give --step-time and --gpu-busy.");
    assert_contains(text, "1 warning and 1 note in 1 file.");
}

static void hostile_sources_drive_no_terminal_and_no_workflow(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "::error::x\n::warning\x1b[31m##[error].py",
                              "::error::a##[group] \x1b]0;t\x07 \xE2\x80\xAE \xff \xC2\x9B loss.item()\n");
    (void)sample_site(sample, file, "loss.item()", 0, 1);
    ReportFormat *const formats[] = {report_full, report_concise, report_json};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        Output output = {.arena = sample->arena, .workflow = true};
        formats[i](&output, made(sample));
        Text safe = output_guarded(&output);
        for (uint32_t at = 0; at < safe.length; at++) {
            Text rest = text_slice(safe, at, safe.length);
            unsigned char byte = (unsigned char)safe.bytes[at];
            assert_false(text_starts(rest, TEXT("##[")));
            assert_false(text_starts(rest, TEXT("\n::")));
            assert_true(at > 0 || !text_starts(rest, TEXT("::")));
            assert_true((byte >= 0x20 && byte != 0x7F) || byte == '\n');
            assert_false(text_starts(rest, TEXT("\xE2\x80\xAE")) || text_starts(rest, TEXT("\xC2\x9B")));
        }
    }
}

/* ---- JSON ---- */

static void json_has_the_agreed_keys(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a\xff.py", loop_source);
    SiteId id = sample_site(sample, file, "loss.item()", 0, 123.456);
    sample->costs.sites[id].has_per_turn = false;
    vec_push(sample->arena, &sample->findings.loops,
             ((HotLoop){.unit = UNIT_STEP, .file = file, .head = {0, 15}}));
    sample->findings.sites.items[id].loop = 1;
    const Reason reason = {.role = ROLE_GPU, .file = file, .span = {4, 5}, .text = TEXT("because")};
    sample->findings.sites.items[id].reasons = &reason;
    sample->findings.sites.items[id].reason_count = 1;
    Text text = sample_written(sample, report_json);
    yyjson_doc *document = yyjson_read(text.bytes, text.length, 0);
    assert_non_null(document);
    yyjson_val *root = yyjson_doc_get_root(document),
               *finding = yyjson_arr_get_first(yyjson_obj_get(root, "findings"));
    static const char *const paths[] = {"/version",         "/profile/name",        "/profile/device",
                                        "/profile/source",  "/loops/0/turn/low_us", "/skipped",
                                        "/summary/warnings"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) assert_non_null(yyjson_ptr_get(root, paths[i]));
    static const char *const keys[] = {"/id",
                                       "/rule",
                                       "/code",
                                       "/level",
                                       "/kind",
                                       "/need",
                                       "/confidence",
                                       "/file",
                                       "/cell",
                                       "/line",
                                       "/column",
                                       "/end_line",
                                       "/end_column",
                                       "/statement/line",
                                       "/statement/end_line",
                                       "/message",
                                       "/waits",
                                       "/loop",
                                       "/why/0/file",
                                       "/why/0/line",
                                       "/why/0/text",
                                       "/why/0/role",
                                       "/frequency/unit",
                                       "/frequency/per_step",
                                       "/frequency/every",
                                       "/frequency/text",
                                       "/cost/basis",
                                       "/cost/per_execution/low_us",
                                       "/cost/per_execution/high_us",
                                       "/cost/low_us",
                                       "/cost/high_us",
                                       "/cost/blocked_us",
                                       "/cost/text",
                                       "/suggestion"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!yyjson_ptr_get(finding, keys[i])) fail_msg("no %s", keys[i]);
    assert_true(yyjson_is_null(yyjson_ptr_get(finding, "/cost/low_us")));
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(finding, "/cost/per_execution/low_us")), 123);
    assert_string_equal(yyjson_get_str(yyjson_ptr_get(finding, "/file")), "a\xEF\xBF\xBD.py");
    assert_int_equal(yyjson_get_uint(yyjson_ptr_get(finding, "/column")), 9);
    yyjson_doc_free(document);
}

static void numbers_have_three_digits(void **state) {
    (void)state;
    assert_true(json_rounded(123.456) == 123);
    assert_true(json_rounded(0.1 * 3) == 0.3);
    assert_true(json_rounded(98765) == 98800);
    assert_true(json_rounded(1.2345) == 1.23);
    assert_true(json_rounded(0.0 / 1e-300) == 0);
    assert_true(json_rounded(-12.345) == -12.3);
}

/* ---- GitHub and SARIF ---- */

static void commands_are_escaped_exactly(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a,b:c%d.py", "x = f('100%, a: b', loss.item())\n");
    (void)sample_site(sample, file, "f('100%, a: b', loss.item())", 0, 1);
    Text text = sample_written(sample, report_github);
    assert_contains(
        text, "::warning file=a%2Cb%3Ac%25d.py,line=1,endLine=1,col=5,endColumn=33,title=host-read SYN101::"
              "Costs 1 to 2 us a training step; runs every training step.%0A`f('100%25, a: b', loss.item())` "
              "reads a value.%0A");
}

static void commands_over_lines_have_no_columns(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "x = (loss\n.item())\n");
    SiteId id = sample_site(sample, file, "loss\n.item()", 0, 1);
    sample->findings.sites.items[id].level = LEVEL_NOTE;
    assert_contains(sample_written(sample, report_github), "::notice file=a.py,line=1,endLine=2,title=");
}

static uint32_t count_of(Text text, const char *part) {
    uint32_t count = 0;
    for (const char *at = strstr(text.bytes, part); at; at = strstr(at + 1, part)) count++;
    return count;
}

static void what_github_would_drop_is_written_plainly(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "::a##[group].py", "loss.item()\n");
    for (int i = 0; i < 14; i++) (void)sample_site(sample, file, "loss.item()", 0, 1);
    Text text = sample_written(sample, report_github), summary = sample_written(sample, report_github_summary);
    assert_int_equal(count_of(text, "::warning file="), 10);
    assert_int_equal(count_of(text, ".py:1:1: SYN101"), 4);
    assert_int_equal(count_of(text, "\n::a"), 0);
    assert_int_equal(count_of(summary, "\n| 1 to 2 us a training step |"), 14);
    assert_int_equal(count_of(summary, "::a"), 0);
    for (int i = 0; i < 12; i++) {                                    /* errors count apart */
        SiteId site = sample_site(sample, file, "loss.item()", 0, 1); /* which may move the sites */
        sample->findings.sites.items[site].level = LEVEL_ERROR;
    }
    text = sample_written(sample, report_github);
    assert_int_equal(count_of(text, "::error file="), 10);
    assert_int_equal(count_of(text, "::warning file="), 10);
    assert_int_equal(count_of(text, ".py:1:1: SYN101"), 6);
}

static void tables_take_no_markup_from_sources(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "a.py", "<img src=x>|[a](b)\n");
    (void)sample_site(sample, file, "<img src=x>|[a](b)", 0, 1);
    Text text = sample_written(sample, report_github_summary);
    assert_int_equal(count_of(text, "<img"), 0);
    assert_contains(text, "&#60;img src=x&#62;&#124;&#91;a&#93;&#40;b&#41;");
}

static void sarif_fits_the_published_schema(void **state) {
    Sample *sample = &((Bench *)*state)->sample;
    FileId file = sample_file(sample, "sub/\xC3\xA4 b\xff?.py", loop_source);
    SiteId id = sample_site(sample, file, "loss.item()", 0, 123.456);
    const Reason reason = {.role = ROLE_GPU, .file = file, .span = {4, 5}, .text = TEXT("because\x1b \xff")};
    sample->findings.sites.items[id].reasons = &reason;
    sample->findings.sites.items[id].reason_count = 1;
    vec_push(sample->arena, &sample->program.skipped, ((Skipped){TEXT("/else where.py"), TEXT("too large")}));
    Text text = sample_written(sample, report_sarif);
    assert_contains(text, "\"uri\": \"sub/%C3%A4%20b%FF%3F.py\"");
    assert_contains(text, "\"uri\": \"file:///else%20where.py\"");
    char path[] = "/tmp/syncl-sarif-XXXXXX", command[100];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && output_to_descriptor(text, descriptor) && close(descriptor) == 0);
    snprintf(command, sizeof command, "sh tests/sarif/validate.sh %s", path);
    int status = system(command);
    (void)unlink(path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

int main(void) {
#define BENCHED(test) cmocka_unit_test_setup_teardown(test, start, stop)
    const struct CMUnitTest tests[] = {
        BENCHED(dearest_come_first_then_places),
        BENCHED(selection_and_confidence_leave_out),
        BENCHED(notes_fail_only_when_asked),
        BENCHED(fingerprints_survive_moved_lines_and_layout),
        BENCHED(equal_findings_have_names_of_their_own),
        BENCHED(columns_are_code_points_and_ends_exclusive),
        BENCHED(messages_name_the_expression),
        BENCHED(carets_stand_below_wide_letters_and_tabs),
        BENCHED(long_lines_are_cut_around_the_expression),
        BENCHED(notes_come_after_warnings_on_one_line),
        BENCHED(hostile_sources_drive_no_terminal_and_no_workflow),
        BENCHED(json_has_the_agreed_keys),
        BENCHED(numbers_have_three_digits),
        BENCHED(commands_are_escaped_exactly),
        BENCHED(commands_over_lines_have_no_columns),
        BENCHED(what_github_would_drop_is_written_plainly),
        BENCHED(tables_take_no_markup_from_sources),
        BENCHED(sarif_fits_the_published_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
