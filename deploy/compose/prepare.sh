#!/bin/sh
# Makes secrets/ for compose.yaml: sh prepare.sh NAME-OR-ADDRESS-THAT-DEVICES-USE. What is there stays.
set -eu
name=${1:?"say under which name or address devices find the broker: sh prepare.sh fleet.example.org"}
cd "$(dirname "$0")"
umask 077
mkdir -p secrets/broker
secret() { openssl rand -hex 24; }

[ -s secrets/broker-password ] || secret >secrets/broker-password
if [ ! -s secrets/postgres.env ]; then
    password=$(secret)
    printf 'POSTGRES_USER=edgefleet\nPOSTGRES_DB=edgefleet\nPOSTGRES_PASSWORD=%s\n' "$password" >secrets/postgres.env
    printf 'EDGEFLEET_DATABASE=postgresql://edgefleet:%s@postgres/edgefleet\nEDGEFLEET_BROKER=mqtts://broker:8884\nEDGEFLEET_DEVICE_BROKER=mqtts://%s:8883\n' \
        "$password" "$name" >secrets/server.env
fi

# The broker's own certificate, for devices under its outer name and for the server under `broker`.
if [ ! -s secrets/broker/broker.crt ]; then
    case $name in *[!0-9.]*) kind=DNS ;; *) kind=IP ;; esac
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=edgefleet broker authority" \
        -keyout secrets/broker-ca.key -out secrets/broker/broker-ca.crt
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" \
        -keyout secrets/broker/broker.key -out secrets/broker.csr
    printf 'subjectAltName=%s:%s,DNS:broker,DNS:localhost\n' "$kind" "$name" >secrets/broker.ext
    openssl x509 -req -in secrets/broker.csr -CA secrets/broker/broker-ca.crt -CAkey secrets/broker-ca.key -CAcreateserial -days 1825 \
        -extfile secrets/broker.ext -out secrets/broker/broker.crt
fi

cp ../brokers/devices.acl ../brokers/server.acl secrets/broker/
if [ ! -s secrets/broker/passwords ]; then
    : >secrets/broker/passwords
    for user in edgefleet-server edgefleet-blocks; do mosquitto_passwd -b secrets/broker/passwords "$user" "$(cat secrets/broker-password)"; done
fi
# The authority that signs devices is the server's: it makes it at its first start. The broker needs its certificate and its list
# of revoked certificates: docs/scaling.md says how they come here.
for file in authority.crt revoked.pem; do
    [ -s "secrets/broker/$file" ] || echo "still missing: secrets/broker/$file (from the server's volume, authority/$file; docs/scaling.md)" >&2
done
chmod 755 secrets/broker
chmod 644 secrets/broker/*.crt secrets/broker/*.acl
# The broker's image runs as user 1883 and reads these after it became that.
chown -R 1883:1883 secrets/broker 2>/dev/null || chmod 644 secrets/broker/broker.key secrets/broker/passwords
