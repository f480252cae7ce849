#ifndef SYNCL_TEXTS_H
#define SYNCL_TEXTS_H
/* Files of packaging/manual/ and of report/, carried by the program as they are. */

extern const char json_schema[];     /* report.schema.json */
extern const char manual_markdown[]; /* syncl.md */
extern const char page_style[];      /* page.css */
extern const char page_script[];     /* page.js */

#endif
