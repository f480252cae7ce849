#ifndef SYNCL_RECORD_H
#define SYNCL_RECORD_H
/* `syncl record [OPTIONS] -- COMMAND...`: runs COMMAND unchanged, with libsyncl-record.so injected into each of
   its processes that uses the GPU; then reports, on standard error, on the sources that ran. Exit status,
   signals and output are COMMAND's. */
#include <stdbool.h>

bool record_meant(int argc, char **argv); /* argv asks for it, and "record" is no folder here */
int record_run(int argc, char **argv);    /* status for main; 2 when COMMAND could not be started */

#endif
