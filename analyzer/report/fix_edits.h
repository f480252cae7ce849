#ifndef SYNCL_FIX_EDITS_H
#define SYNCL_FIX_EDITS_H
/* The fix of a finding in the formats for machines. Takes a report, const; values live in the JSON's document. */
#include "json.h"
#include "report.h"

/* {applicability, title, doubt, edits}; null where there is no fix. */
Value *fix_value(const Json *json, const Report *report, const Finding *finding);
/* SARIF's `fixes`; NULL where there is none that gains anything. `uri`: of a path, as the report has it. */
Value *fix_sarif(const Json *json, const Report *report, const Finding *finding,
                 Text (*uri)(Arena *arena, const Report *report, Text path));
/* rdjson's `suggestions`, each applied by itself: only a fix of one edit, in the file of the finding, that gains. NULL: none. */
Value *fix_suggestions(const Json *json, const Report *report, const Finding *finding);

#endif
