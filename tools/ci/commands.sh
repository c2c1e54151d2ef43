# How .ci/run runs commands. It sets these variables:
#   reports       the folder of reports
#   deadline      the second, on the script's clock, at which every command is stopped
#   begun starts  the process and the first second of each command that was begun, by its name

# Prints the seconds until the deadline.
seconds_left() {
  local left=$((deadline - SECONDS))
  echo "$((left > 1 ? left : 1))"
}

# limited <command...>: runs the command, and stops it when the time for everything together is
# over.
limited() {
  timeout --kill-after=15 "$(seconds_left)" "$@" </dev/null
}

# begin <name> <command...>: runs the command while later ones run. Commands that mostly wait for
# a chain's slots leave the processor to others.
begin() {
  local name=$1
  shift
  {
    # A signal to this subshell alone would leave the command running. timeout passes the signal on
    # to all processes of the command.
    trap 'kill "$!"; wait "$!"; exit 143' TERM
    timeout --kill-after=15 "$(seconds_left)" "$@" </dev/null >"$reports/$name" 2>&1 &
    wait "$!"
    ended=$?
    # This subshell has the script's own clock.
    echo "$SECONDS" >"$reports/$name.end"
    exit "$ended"
  } &
  begun[$name]=$!
  starts[$name]=$SECONDS
  echo "== begun: $*"
}

# Ends all commands that were begun and haven't finished, and waits for their end.
end_begun() {
  [ ${#begun[@]} -gt 0 ] || return 0
  kill "${begun[@]}" 2>/dev/null
  wait "${begun[@]}" 2>/dev/null
}
