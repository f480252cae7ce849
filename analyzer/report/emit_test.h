#ifndef SYNCL_EMIT_TEST_H
#define SYNCL_EMIT_TEST_H
/* Writes a pytest that runs one function of the analysed files under torch's sync debug mode and fails where it
   waits. Takes `step` or `Trainer.step`; writes Python in which, outside of comments, the only text from the
   source is identifiers. Each thing that the function needs becomes a fixture, which fails until the user fills
   it in. Fails with one line: no such function (with the nearest name), several of that name, or one that
   cannot be imported. */
#include "report.h"

bool emit_test(Output *output, const Report *report, const char *function, Text *error);

#endif
