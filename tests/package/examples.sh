#!/bin/sh
# examples.sh MARKDOWN FOLDER: writes the one CMake, C++ and Python block of a page, as printed, into
# CMakeLists.txt, main.cpp and example.py of the folder.
set -eu
mkdir -p "$2"
block() { awk -v begin="\`\`\`$1" '$0 == begin { inside = 1; next } $0 == "```" { inside = 0 } inside' "$3" >"$2"; }
block cmake "$2/CMakeLists.txt" "$1"
block cpp "$2/main.cpp" "$1"
block python "$2/example.py" "$1"
