#ifndef SYNCL_TRACE_HELP_H
#define SYNCL_TRACE_HELP_H
/* What a user adds to a script to record a trace for --trace, as text. */

const char *trace_help(void); /* static */
/* And to log a run for --observed. */
const char *observed_help(void);

#endif
