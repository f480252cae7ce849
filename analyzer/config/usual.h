#ifndef SYNCL_USUAL_H
#define SYNCL_USUAL_H
/* Folders that hold no source of the project itself: excluded unless `exclude` is given. */
#include "text.h"

bool usual_exclusion(Text path); /* judged by its last component */

#endif
