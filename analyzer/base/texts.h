#ifndef SYNCL_TEXTS_H
#define SYNCL_TEXTS_H
/* Text files of packaging/manual/ and of report/ that the program carries; the Makefile turns them into C
   strings. */

extern const char json_schema[];     /* report.schema.json */
extern const char manual_markdown[]; /* syncl.md */
extern const char page_style[];      /* page.css */
extern const char page_script[];     /* page.js */

#endif
