#!/bin/sh
# Prints a Python that the simulation runs on; each is tried, as a shim may stand for nothing.
versions=$(command -v pyenv >/dev/null && echo "$(pyenv root)/versions")
for candidate in python3.13 "$versions"/3.13*/bin/python python3.12 "$versions"/3.12*/bin/python; do
    if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$candidate"
        exit
    fi
done
