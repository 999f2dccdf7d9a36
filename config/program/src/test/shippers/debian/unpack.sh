#!/bin/sh
# Unpacks the log daemons of Debian into a folder: they exclude each other where they are installed, and need no root.
#
#   unpack.sh FOLDER
set -eu
mkdir -p "$1"
cd "$1"
apt-get download -q rsyslog rsyslog-elasticsearch rsyslog-gnutls syslog-ng-core syslog-ng-mod-http \
  systemd-journal-remote libcurl4 libestr0 libfastjson4 libivykis0 liblognorm5 libmicrohttpd12 libnet1 libpcre3 \
  libsystemd-shared libwrap0 >&2
for package in *.deb; do
  dpkg -x "$package" .
done
