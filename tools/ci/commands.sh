# The functions with which .ci/run runs commands. They use variables of .ci/run:
#   reports       the folder of reports
#   deadline      the second, on the script's clock, at which every command is stopped
#   begun starts  the process id and the start second of each command that `begin` started, by its name

# Prints the seconds until the deadline.
seconds_left() {
  local left=$((deadline - SECONDS))
  echo "$((left > 1 ? left : 1))"
}

# limited <command...>: runs the command, and stops it at the deadline.
limited() {
  timeout --kill-after=15 "$(seconds_left)" "$@" </dev/null
}

# begin <name> <command...>: starts the command in the background, so that it runs at the same time as later commands.
# Use it only if this command or the later commands mostly wait, because a machine may have few cores.
begin() {
  local name=$1
  shift
  {
    # Without this trap, a signal to this subshell would leave the command running. `timeout` passes the signal to
    # all processes of the command.
    trap 'kill "$!"; wait "$!"; exit 143' TERM
    timeout --kill-after=15 "$(seconds_left)" "$@" </dev/null >"$reports/$name" 2>&1 &
    wait "$!"
    ended=$?
    # SECONDS counts from the start of the script in this subshell too.
    echo "$SECONDS" >"$reports/$name.end"
    exit "$ended"
  } &
  begun[$name]=$!
  starts[$name]=$SECONDS
  echo "== begun: $*"
}

# Stops all commands that `begin` started and that haven't finished, and waits until they have ended.
end_begun() {
  [ ${#begun[@]} -gt 0 ] || return 0
  kill "${begun[@]}" 2>/dev/null
  wait "${begun[@]}" 2>/dev/null
}
