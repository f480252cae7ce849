#ifndef SYNCL_EMIT_TEST_H
#define SYNCL_EMIT_TEST_H
/* A pytest that runs one function of the analysed files under torch's sync debug mode and fails where it waits. Takes
   `step` or `Trainer.step`; writes Python in which nothing but identifiers of the source stands outside of comments.
   What the function needs is a fixture each, which fails until it is written. Fails with one line: no such function
   (and the nearest), several of that name, or one that cannot be imported. */
#include "report.h"

bool emit_test(Output *output, const Report *report, const char *function, Text *error);

#endif
