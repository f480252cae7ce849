# Functions of at most 60 lines (a flat switch's case lines are not counted), files of at most 600.
FNR == 1 { if (file) check_file(); file = FILENAME; inside = 0 }
{ lines = FNR }
!inside && /^[A-Za-z_].*\) \{$/ { inside = 1; start = FNR; counted = 0; name = $0; next }
inside && /^}/ {
    if (counted > 60) { printf "%s:%d: a function of %d lines: %s\n", FILENAME, start, counted, name; failed = 1 }
    inside = 0
}
inside && !/^    (    )?(case |default:)/ { counted++ }
function check_file() { if (lines > 600) { printf "%s: %d lines\n", file, lines; failed = 1 } }
END { if (file) check_file(); exit failed }
