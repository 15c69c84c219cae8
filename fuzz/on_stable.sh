#!/usr/bin/env bash
# Runs fuzz targets without a nightly toolchain: on_stable.sh SECONDS [TARGET...]
# The compiler's own coverage pass feeds libFuzzer; there is no address sanitizer, which code without `unsafe` does not need.
# What is found stays in fuzz/corpus, what fails in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:?usage: on_stable.sh SECONDS [TARGET...]}"
shift
host="$(rustc -vV | sed -n 's/^host: //p')"
export CARGO_TARGET_DIR="$PWD/target"
export RUSTFLAGS="--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
# The host is named so that build scripts and procedural macros stay without the pass.
cargo build --release --target "$host"
if [[ $# == 0 ]]; then
  for file in fuzz_targets/*.rs; do
    set -- "$@" "$(basename "$file" .rs)"
  done
fi
for target in "$@"; do
  echo "$target for $seconds s"
  mkdir -p "corpus/$target" "artifacts/$target"
  log="artifacts/$target/log"
  if ! "target/$host/release/$target" "corpus/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -artifact_prefix="artifacts/$target/" -print_final_stats=1 >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|peak_rss_mb' "$log"
done
