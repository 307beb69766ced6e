#!/bin/bash
# A scripted CLI: a process whose words come from the test. It says how it was started, passes on its stdin (a NUL byte is the end of it),
# prints what it is sent, and exits when the test closes the connection. A shell starts in a tenth of the time of Node.
version=BILL_VERSION_${0##*/}
[[ "$1" != --version ]] || { printf '%s\n' "${!version}"; exit; }
exec 3<>"/dev/tcp/127.0.0.1/$BILL_PORT" 4<&0
printf '%s\0' "$BILL_CONVERSATION" "$$" "${0##*/}" "$GEMINI_CLI_HOME$QWEN_HOME" "$#" "$@" >&3
{ cat <&4; printf '\0'; } >&3 &
cat <&3
kill $! 2>/dev/null
read -r code 2>/dev/null <"$BILL_FOLDER/$$" || code=0
exit "$code"
