#ifndef SYNCL_RULEPAGE_ROW_H
#define SYNCL_RULEPAGE_ROW_H
/* Reads a row of conventions, `loader: "*_loader"`, which stands below a line `# conventions` of a stub file.
   Takes the lowered block; adds the row to the draft. Anything else is a mistake of the page. */
#include "draft.h"
#include "model.h"

void row_read(Draft *draft, DraftPlace place, const FileModel *model, const Stmt *stmt);

#endif
