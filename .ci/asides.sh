# Runs programs in the background, so that a waiting script handles signals immediately. Each has its own process
# group, and is ended when the script exits for any reason.
asides=$(mktemp -d)
declare -A groups=()
end_asides() {
  local group
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null; done
  rm -rf "$asides"
}
# Hook: a script may redefine `at_end`, which gets the exit code as its argument.
at_end() { :; }
trap 'ended=$?; end_asides; at_end "$ended"' EXIT
# Bash runs these traps while it waits for an aside, but not while it waits for a foreground program.
trap 'exit 130' INT
trap 'exit 143' TERM HUP

begin_aside() {
  local name=$1
  shift
  set -m
  ( "$@" >"$asides/$name.log" 2>&1 ) &
  set +m
  groups[$name]=$!
}

# Like begin_aside, and also shows the output as it comes.
begin_shown() {
  local name=$1
  shift
  set -m
  ( set -o pipefail; "$@" 2>&1 | tee "$asides/$name.log" ) &
  set +m
  groups[$name]=$!
}

# Returns the exit code of the program.
await_aside() {
  wait "${groups[$1]}"
  local status=$?
  unset "groups[$1]"
  return $status
}

end_of_aside() {
  await_aside "$1"
  local status=$?
  cat "$asides/$1.log"
  return $status
}

# Runs a program to its end, shows its output, and handles signals meanwhile.
shown() {
  begin_shown "$@"
  await_aside "$1"
}

# Runs a command that depends on the network, up to three times.
tried() {
  local pause
  for pause in 5 20; do
    "$@" && return 0
    echo "It failed: once more in $pause s."
    sleep "$pause"
  done
  "$@"
}
