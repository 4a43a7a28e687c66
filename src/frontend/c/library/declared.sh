#!/bin/sh
# Writes the names of the functions that the system's headers declare, sorted, one a line.
#
#   sh src/frontend/c/library/declared.sh > src/frontend/c/library/declared.txt
#
# Names that are already in the list stay: another system's headers may declare them. Needs gcc, which tells what a text declares.
set -e
export LC_ALL=C
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -v '^#' "$here/headers.txt" | while read -r header; do
  for mode in "-std=gnu2x -D_GNU_SOURCE" "-std=gnu11 -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=2" "-std=c99"; do
    printf '#include <stddef.h>\n#include <stdio.h>\n#include <sys/types.h>\n#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$header" "$header" > "$work/a.c"
    # A header that this compiler cannot read still declares what comes before the error.
    gcc $mode -w -fsyntax-only -aux-info "$work/aux" "$work/a.c" 2> /dev/null || true
    [ -f "$work/aux" ] && cat "$work/aux" >> "$work/all"
    rm -f "$work/aux"
  done
done
{
  [ -f "$here/declared.txt" ] && cat "$here/declared.txt"
  # A line is `/* place */ extern type name (parameters);`, with pointers and attributes around the name.
  sed -n 's|^/\* [^*]* \*/ \(.*\);.*|\1|p' "$work/all" | grep -v '^typedef' | sed -n 's/^[^(]*[ *]\([A-Za-z_][A-Za-z0-9_]*\) (.*/\1/p; s/^[^(]*(\**\([A-Za-z_][A-Za-z0-9_]*\) (.*/\1/p'
} | sort -u
