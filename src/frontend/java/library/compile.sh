#!/bin/sh
# Compiles Tandem's models of the Java library into classes/, which is part of the project, or into another folder.
# Needs a JDK 17; other versions give other bytes.
set -eu
cd "$(dirname "$0")"
out=${1:-classes}
rm -rf "$out/base" "$out/extra"
mkdir -p "$out/base" "$out/extra"
options="-g:source,lines -proc:none -nowarn -XDstringConcat=inline -encoding UTF-8"
javac $options --patch-module java.base=base -d "$out/base" $(find base -name '*.java' | sort)
javac $options --patch-module java.base="$out/base" --add-exports java.base/tandem=ALL-UNNAMED \
  -d "$out/extra" $(find extra -name '*.java' | sort)
