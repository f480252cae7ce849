#ifndef SYNCL_RECORD_H
#define SYNCL_RECORD_H
/* `syncl record [OPTIONS] -- COMMAND...`: runs COMMAND as it is, with libsyncl-record.so in each of its processes that uses
   the GPU, then reports on the sources that ran, on standard error. The exit status, signals and output are COMMAND's. */
#include <stdbool.h>

bool record_meant(int argc, char **argv); /* and not a folder of that name */
int record_run(int argc, char **argv);    /* status for main; 2 when COMMAND could not be started by us */

#endif
