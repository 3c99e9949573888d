# Programs that run beside others: what one says is shown once it has ended. They end with the script that began them,
# however that ends: each is a group of processes of its own.
asides=$(mktemp -d)
declare -A groups=()
end_asides() {
  local group
  for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null; done
  rm -rf "$asides"
}
trap end_asides EXIT
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
