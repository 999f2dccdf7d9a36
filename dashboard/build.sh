#!/bin/sh
# Builds the page, or tests it; what is up to date is left as it is.
#
#   build.sh page    npm ci, vite build -> target/classes/hourglass/dashboard
#   build.sh test    the unit tests, on Node's own test runner
#
# Without a fitting Node the page says so instead, and everything else of Hourglass still builds.
set -eu
cd "$(dirname "$0")"

page=target/classes/hourglass/dashboard
built=target/dashboard.built

fitting_node() {
  command -v npm >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1);
  ' 2>/dev/null
}

# npm writes node_modules/.package-lock.json last.
install() {
  if [ node_modules/.package-lock.json -nt package-lock.json ]; then return; fi
  if ! npm ci --loglevel=error; then
    echo "dashboard: npm ci failed; it needs an npm registry for the first build (npm config get registry)" >&2
    exit 1
  fi
  touch node_modules/.package-lock.json
}

up_to_date() {
  [ -f "$built" ] && [ -f "$page/index.html" ] && [ "$built" -nt node_modules/.package-lock.json ] &&
    [ -z "$(find src/main ../query/src/main/resources/hourglass/openapi.yaml vite.config.js package.json package-lock.json build.sh -newer "$built" | head -n 1)" ]
}

case "${1:-}" in
  page)
    if fitting_node; then
      install
      if up_to_date; then exit 0; fi
      # Not `npm run`: it would print more than a build should say.
      node node_modules/vite/bin/vite.js build --logLevel warn
      touch "$built"
    else
      echo "dashboard: not built, Node 20.19 or newer is missing; everything else is" >&2
      rm -rf "$page" "$built"
      mkdir -p "$page"
      cp src/main/without-node/* "$page/"
    fi
    ;;
  test)
    if fitting_node; then
      node --test --test-reporter=dot src/test/unit/*.test.js
    else
      echo "dashboard: unit tests not run, Node 20.19 or newer is missing" >&2
    fi
    ;;
  *)
    echo "usage: build.sh page | test" >&2
    exit 2
    ;;
esac
