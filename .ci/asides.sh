# Programs that run in the background, one beside another: a script that waits for them hears signals at once. They end
# with it, however that ends: each is a group of processes of its own.
asides=$(mktemp -d)
declare -A groups=()
end_asides() {
  local group
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null; done
  rm -rf "$asides"
}
# A script that has a last word says it in `at_end`, which is given the exit code.
at_end() { :; }
trap 'ended=$?; end_asides; at_end "$ended"' EXIT
# Bash runs these while it waits for an aside, but not while it waits for any other program.
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

# The same, and what it says is shown at once, too.
begin_shown() {
  local name=$1
  shift
  set -m
  ( set -o pipefail; "$@" 2>&1 | tee "$asides/$name.log" ) &
  set +m
  groups[$name]=$!
}

# Answers as the program did.
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

# Runs a program to its end, and hears signals meanwhile.
shown() {
  begin_shown "$@"
  await_aside "$1"
}

# Tries what depends on the network up to three times.
tried() {
  local pause
  for pause in 5 20; do
    "$@" && return 0
    echo "It failed: once more in $pause s."
    sleep "$pause"
  done
  "$@"
}
