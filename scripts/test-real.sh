#!/usr/bin/env bash
# Runs tests/real: the real CLIs against fake model APIs, in a network of their own where the system allows it.
# --all adds tests/real/nightly, which takes as long again: before a change of a CLI's provider or pin lands, and every night.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
words=()
for word in "$@"; do
  if [[ "$word" == --all ]]; then export COXSWAIN_REAL_SUITE=all; else words+=("$word"); fi
done
node scripts/install-real-clis.ts
if [[ "${COXSWAIN_REAL_SUITE:-}" != all ]]; then
  echo "test:real: without" tests/real/nightly/*.test.ts "(npm run test:real -- --all)"
fi
exec bash scripts/own-network.sh test:real node node_modules/vitest/vitest.mjs run --config vitest.real.config.ts "${words[@]}"
