#ifndef SYNCL_TEXTS_H
#define SYNCL_TEXTS_H
/* The files of packaging/manual/, carried by the program as they are. */

extern const char json_schema[];     /* report.schema.json */
extern const char manual_markdown[]; /* syncl.md */

#endif
