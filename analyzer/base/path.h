#ifndef SYNCL_PATH_H
#define SYNCL_PATH_H
/* Paths as texts. Nothing here touches the file system. */
#include "text.h"

Text path_join(Arena *arena, Text folder, Text name); /* always a copy; an empty folder gives the name alone */
Text path_folder(Text path);                          /* without its last part; "/" for "/a", empty for "a" */
uint32_t path_shared_folder(Text a, Text b);          /* length of the folder that holds both, with its slash: 2 for
                                                         "a/b" and "a/c/d" */
Text path_base(Text path);                            /* the last part */
/* Absolute and without ".", ".." and doubled slashes. Symbolic links are not followed. */
Text path_absolute(Arena *arena, Text current, Text path);
bool path_is_below(Text path, Text folder); /* whether `path` is `folder` or inside it; both absolute */
Text path_below(Text path, Text folder);    /* the part of `path` below `folder`, without a leading slash */
const char *path_terminated(Arena *arena, Text path); /* zero-terminated, for system calls */

#endif
