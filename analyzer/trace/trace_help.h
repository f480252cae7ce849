#ifndef SYNCL_TRACE_HELP_H
#define SYNCL_TRACE_HELP_H
/* Text that tells a user what to add to a script: to record a trace for --trace, */

const char *trace_help(void); /* static */
/* and to log a run for --observed. */
const char *observed_help(void);

#endif
