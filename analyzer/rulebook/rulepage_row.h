#ifndef SYNCL_RULEPAGE_ROW_H
#define SYNCL_RULEPAGE_ROW_H
/* A row of conventions, `loader: "*_loader"`, below a line `# conventions` of a stub file. Takes the lowered block, gives
   the row to the draft; anything else there is a mistake of the page. */
#include "draft.h"
#include "model.h"

void row_read(Draft *draft, DraftPlace place, const FileModel *model, const Stmt *stmt);

#endif
