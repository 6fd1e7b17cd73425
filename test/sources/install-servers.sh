#!/bin/sh
# Installs, from Debian's packages, the servers that the tests of the sources run against. The tests start them
# themselves, on 127.0.0.1 and on ports of their own; where they are not installed the tests say so and are skipped.
set -eu
export DEBIAN_FRONTEND=noninteractive
packages="postgresql mariadb-server openssh-server vsftpd freetds-bin openssl"
missing=""
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
# Nothing that is installed here may start on its own.
[ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d; }
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=900 $missing >/dev/null
