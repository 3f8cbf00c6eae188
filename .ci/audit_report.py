#!/usr/bin/env python3
"""Reports the output of `pip-audit --format json`; exit status 1 for a known vulnerability or without any data."""

import json
import sys

packages = json.load(sys.stdin)["dependencies"]
checked = [package for package in packages if "skip_reason" not in package]
for package in checked:
    for vulnerability in package["vulns"]:
        fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
        sys.stdout.write(f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed}\n")
if not checked:
    sys.exit("pypi.org has no data about any package")
skipped = sorted(package["name"] for package in packages if "skip_reason" in package)
sys.stdout.write(f"{len(checked)} packages looked up; unknown at pypi.org: {', '.join(skipped) or 'none'}\n")
sys.exit(any(package["vulns"] for package in checked))
