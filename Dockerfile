# The image of Hearth: the executable from `npm run build`, on a slim Debian with the client for PostgreSQL backups.
FROM node:24-trixie-slim AS build
WORKDIR /hearth
# The packages first: they change less often than the sources. What npm prepares needs the sources, and is skipped.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM debian:trixie-slim
# A client that is older than the server refuses to dump it.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates postgresql-client-17 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --system --gid 10001 hearth \
  && useradd --system --uid 10001 --gid hearth --home-dir /data --shell /usr/sbin/nologin hearth \
  && install -d -o hearth -g hearth -m 700 /data /backups
COPY --from=build /hearth/dist /opt/hearth
ENV PATH=/opt/hearth:$PATH HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
# What hearth restore --check unpacks may be larger than /tmp, which is memory where compose.yaml says so.
ENV TMPDIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# The process itself gets the signals: it drains within ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s CMD ["/opt/hearth/hearth", "ready"]
ENTRYPOINT ["/opt/hearth/hearth"]
CMD ["serve"]
