#!/usr/bin/env bash
# Runs tests/attack/permissions: the real CLIs with models that order forbidden things, in a network of their own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
node scripts/install-real-clis.ts >&2
exec bash scripts/own-network.sh attack:permissions \
  node --disable-warning=ExperimentalWarning tests/attack/permissions/attack-permissions.ts "$@"
