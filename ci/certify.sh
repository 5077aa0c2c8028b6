#!/bin/sh
# certify.sh BACKEND [OPTION...]: installs certile into .certile, unless it is there, and certifies BACKEND, with OPTIONs of
# `certile certify`.  Leaves junit.xml, summary.md, page.html, records.jsonl and badge.json in certile-report, and ends with
# certile's exit code.  CERTILE_PACKAGE is what pip installs, "certile" by default.
set -eu
if [ ! -x .certile/bin/certile ]; then
  python3 -m venv .certile
  .certile/bin/pip install --quiet "${CERTILE_PACKAGE:-certile}"
fi
mkdir -p certile-report
exec .certile/bin/certile certify "$@" --junit certile-report/junit.xml --markdown certile-report/summary.md \
  --records certile-report/records.jsonl --badge certile-report/badge.json --html certile-report/page.html
