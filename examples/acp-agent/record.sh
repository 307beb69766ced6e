#!/bin/sh
# Stands for the agent and keeps what it is sent and what it prints: RECORDING is an existing folder.
here=$(dirname "$0")
[ "$1" = --version ] && exec "$here/magpie-agent.mjs" --version
tee "$RECORDING/stdin" | "$here/magpie-agent.mjs" "$@" 2> "$RECORDING/stderr" | tee "$RECORDING/stdout"
