#ifndef SYNCL_WALK_LIST_H
#define SYNCL_WALK_LIST_H
/* Lists that the walked code grows in place. In a widened loop (one iteration stands for all) a list made before the loop
   gets one item an iteration. Takes the list and what is added; fails into a list of unknown length. Private to the
   room; in walk_item.c. */
#include "sizer.h"

void size_append(Sizes *self, Thing list, Thing item);
void size_extend(Sizes *self, Thing list, Thing more);

#endif
