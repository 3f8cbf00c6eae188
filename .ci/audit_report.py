#!/usr/bin/env python3
"""Reads what `pip-audit --format json` found; exit status 1 for a known weakness, and if no package was looked up."""

import json
import sys

packages = json.load(sys.stdin)["dependencies"]
asked = [package for package in packages if "skip_reason" not in package]
for package in asked:
    for weakness in package["vulns"]:
        mended = ", ".join(weakness["fix_versions"]) or "no version yet"
        sys.stdout.write(f"{package['name']} {package['version']}: {weakness['id']}, mended in {mended}\n")
if not asked:
    sys.exit("pypi.org told nothing about any package")
skipped = sorted(package["name"] for package in packages if "skip_reason" in package)
sys.stdout.write(f"{len(asked)} packages looked up; not known at pypi.org: {', '.join(skipped) or 'none'}\n")
sys.exit(any(package["vulns"] for package in asked))
