#!/usr/bin/env bash
# Unpacks the Python of Debian 13 into a folder, for a Debian whose own one is older: python.sh FOLDER
# It is FOLDER/usr/bin/python3.13 then. The packages come from the mirror that apt is set to; the system stays as it is.
set -euo pipefail

folder="$1"
apt="$(mktemp -d)"
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt"/{lists,archives}/partial "$folder"
: > "$apt/status"
mirror="$(apt-get indextargets --format "\$(LABEL) \$(REPO_URI)" 'Created-By: Packages' | sed -n '/^Debian /{s///p;q}')"
[ -n "$mirror" ] || { echo "apt has no mirror of Debian" >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$apt/sources.list"
# This apt knows of no package that is there, so it takes the C library of the same Debian too.
options=(-qq -o APT::Sandbox::User= -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt"
  -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null)
apt-get "${options[@]}" update
apt-get "${options[@]}" install --yes --download-only --no-install-recommends python3.13-minimal libpython3.13-stdlib libstdc++6
for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" "$folder"; done

# It runs with that library. Python takes the name that it is called by for its place, so environments of it work.
python="$folder/usr/bin/python3.13"
libraries="$(dirname "$(find "$folder/usr/lib" -name libc.so.6)")"
loader="$(find "$libraries" -name 'ld-linux-*')"
mv "$python" "$python.program"
cat > "$python" <<END
#!/bin/sh
exec '$loader' --library-path '$libraries' --argv0 "\$0" '$python.program' "\$@"
END
chmod +x "$python"
