#ifndef SYNCL_FIX_EDITS_H
#define SYNCL_FIX_EDITS_H
/* A finding's fix in the machine formats. Takes a report; values live in the JSON document. */
#include "json.h"
#include "report.h"

/* {applicability, title, doubt, edits}; null where there is no fix. */
Value *fix_value(const Json *json, const Report *report, const Finding *finding);
/* SARIF's `fixes`; NULL where there is no fix that gains anything. `uri`: converts a path. */
Value *fix_sarif(const Json *json, const Report *report, const Finding *finding,
                 Text (*uri)(Arena *arena, const Report *report, Text path));
Value *sarif_text(const Json *json, Text text); /* {"text": ...}, SARIF's messages */
Value *sarif_region(const Json *json, const SourceFile *file, Span span);
/* rdjson's `suggestions`, each of which is applied by itself: so only a fix with one edit, in the finding's own
   file, that gains something. NULL: none. */
Value *fix_suggestions(const Json *json, const Report *report, const Finding *finding);

#endif
