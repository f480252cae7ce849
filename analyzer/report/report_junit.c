/* JUnit XML as CI systems read it: a suite for each file, a case for each finding. A finding at the failing
   level is a failure, one below it a passed case with a message; a file that could not be read is a skipped
   case. */
#include "markup.h"
#include "report.h"

/* For text and attribute values. What XML forbids has become a visible escape by then. A workflow's log reads
   `##[` anywhere. */
static void write_xml(Output *output, Text text) { markup_text(output, text, "&<>\"'["); }

static void write_attribute(Output *output, const char *name, Text value) {
    output_format(output, " %s=\"", name);
    write_xml(output, value);
    output_text(output, "\"");
}

static void write_case(Output *output, const Report *report, const Finding *finding) {
    Text name = text_format(output->arena, "%.*s %.*s:%u:%u", SHOWN(finding->code), SHOWN(finding->rule),
                            finding->raw_start.line, finding->raw_start.column);
    bool failure = report_fails(report, finding);
    output_text(output, "    <testcase");
    write_attribute(output, "name", name);
    write_attribute(output, "classname", finding->file->path);
    write_attribute(output, "file", finding->file->path);
    output_format(output, " line=\"%u\">\n      <%s", finding->raw_start.line,
                  failure ? "failure" : "system-out");
    if (failure) write_attribute(output, "message", finding->message);
    output_text(output, ">");
    write_xml(output, report_place(output->arena, finding));
    output_text(output, ": ");
    write_xml(output, report_sentence(output->arena, finding));
    output_text(output, failure ? "</failure>\n    </testcase>\n" : "</system-out>\n    </testcase>\n");
}

/* An error if it fails the run, else a skipped case. */
static void write_broken(Output *output, const Report *report, const Broken *broken) {
    output_text(output, "    <testcase name=\"broken\"");
    write_attribute(output, "classname", broken->file->path);
    write_attribute(output, "file", broken->file->path);
    output_format(output, " line=\"%u\"><%s", broken->raw.line,
                  report->options->fail_on_broken ? "error" : "skipped");
    write_attribute(output, "message", broken_line(output->arena, broken));
    output_text(output, "/></testcase>\n");
}

static const Broken *broken_in(const Report *report, const SourceFile *file) {
    for (uint32_t i = 0; i < report->broken.count; i++)
        if (report->broken.items[i].file == file) return &report->broken.items[i];
    return NULL;
}

static void write_file(Output *output, const Report *report, const SourceFile *file) {
    const Broken *broken = broken_in(report, file);
    uint32_t count = broken != NULL, failures = 0, errors = broken && report->options->fail_on_broken;
    for (uint32_t i = 0; i < report->findings.count; i++) {
        const Finding *finding = &report->findings.items[i];
        count += finding->file == file;
        failures += finding->file == file && report_fails(report, finding);
    }
    output_text(output, "  <testsuite");
    write_attribute(output, "name", file->path);
    output_format(output, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n", count ? count : 1,
                  failures, errors, broken && !errors);
    if (count == 0) {
        output_text(output, "    <testcase name=\"syncl\"");
        write_attribute(output, "classname", file->path);
        output_text(output, "/>\n");
    }
    if (broken) write_broken(output, report, broken);
    for (uint32_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].file == file) write_case(output, report, &report->findings.items[i]);
    output_text(output, "  </testsuite>\n");
}

static void write_skipped(Output *output, const Skipped *skipped) {
    output_text(output, "  <testsuite");
    write_attribute(output, "name", skipped->path);
    output_text(output,
                " tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n    <testcase name=\"syncl\"");
    write_attribute(output, "classname", skipped->path);
    output_text(output, "><skipped");
    write_attribute(output, "message", skipped->reason);
    output_text(output, "/></testcase>\n  </testsuite>\n");
}

void report_junit(Output *output, const Report *report) {
    const Program *program = report->analysis->program;
    output_text(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"syncl\">\n");
    for (FileId id = 1; id < program->files.count; id++)
        if (program->files.items[id].reported || broken_in(report, &program->files.items[id]))
            write_file(output, report, &program->files.items[id]);
    for (uint32_t i = 0; i < program->skipped.count; i++) write_skipped(output, &program->skipped.items[i]);
    output_text(output, "</testsuites>\n");
}
