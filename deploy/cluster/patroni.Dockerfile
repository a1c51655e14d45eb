# PostgreSQL with Patroni and pgBackRest, from the same package repository. Used by compose.yaml in this folder.
FROM postgres:18.6
RUN apt-get update \
    && apt-get install --yes --no-install-recommends patroni pgbackrest \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/cluster
COPY cluster/patroni.yml cluster/bootstrap.sh postgres-init.sh /etc/patroni/
COPY cluster/pgbackrest.conf /etc/pgbackrest/
WORKDIR /etc/patroni
USER postgres
ENTRYPOINT ["patroni", "patroni.yml"]
