#!/bin/sh
# Compiles Tandem's models of the Java library into classes/, which is part of the project. Needs a JDK 17.
set -eu
cd "$(dirname "$0")"
rm -rf classes
mkdir -p classes/base classes/extra
options="-g:source,lines -proc:none -nowarn -XDstringConcat=inline -encoding UTF-8"
javac $options --patch-module java.base=base -d classes/base $(find base -name '*.java' | sort)
javac $options --patch-module java.base=classes/base --add-exports java.base/tandem=ALL-UNNAMED \
  -d classes/extra $(find extra -name '*.java' | sort)
