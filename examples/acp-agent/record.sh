#!/bin/sh
# Stands for the agent and keeps what it is sent and what it prints: RECORDING is the absolute path of an existing folder.
agent="$(dirname "$0")/magpie-agent.mjs" # A program on PATH, or an absolute path.
[ "$1" = --version ] && exec "$agent" --version
to="${RECORDING:?}/to-agent" from="$RECORDING/from-agent"
rm -f "$to" "$from" && mkfifo "$to" "$from" || exit 1
exec 3<&0
tee "$RECORDING/stdin" <&3 > "$to" &
sent=$!
tee "$RECORDING/stdout" < "$from" &
printed=$!
(rm "$to" "$from" && exec "$agent" "$@") < "$to" > "$from" 2> "$RECORDING/stderr"
code=$?
kill "$sent" 2> /dev/null
wait "$printed"
cat "$RECORDING/stderr" >&2
[ "$code" = 126 ] || [ "$code" = 127 ] && echo "record.sh: $agent cannot be started" >&2
exit "$code"
