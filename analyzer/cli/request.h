#ifndef SYNCL_REQUEST_H
#define SYNCL_REQUEST_H
/* Turns options into the inputs of an analysis and of its report. False or NULL: run->error says what is wrong. */
#include "run.h"

uint32_t request_threads(const Options *options);
ReportOptions request_report(Run *run);
bool request_observed(Run *run, Text *log);
const Profile *request_profile(Run *run, const char *invoked);
const Rulebook *request_rulebook(Run *run, const Rulebook *book);
bool request_prepare(Run *run, const Rulebook **rulebook, AnalyzeOptions *how);

#endif
