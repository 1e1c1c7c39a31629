# The gate without a database of its own: DATABASE_URL must name a PostgreSQL 17. Inside a container it listens on every
# address, so that it starts only with an identity provider (AUTH_JWKS_URL or AUTH_JWKS_FILE, AUTH_ISSUER, AUTH_AUDIENCE)
# or with AUTH_OPEN=yes.

FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/client/package.json src/client/
RUN npm ci --ignore-scripts --omit=optional --no-audit --no-fund
COPY LICENSE tsconfig.json ./
COPY migrations migrations
COPY src src
# A checkout with a strict umask would otherwise make files that the gate's user can't read.
RUN npm run build && rm dist/.tsbuildinfo && chmod -R go=rX LICENSE package.json migrations src/evals/scenarios

FROM node:26-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/client/package.json src/client/
# The optional packages are the programs of the embedded Postgres, larger than all the others together.
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund

FROM node:26-trixie-slim
LABEL org.opencontainers.image.title="Continuity gate" \
      org.opencontainers.image.description="The service that agent runtimes must ask before they resume" \
      org.opencontainers.image.licenses="Apache-2.0"
# Deprecation warnings are news for developers, not for operators.
ENV NODE_ENV=production \
    NODE_OPTIONS=--no-deprecation \
    HOST=0.0.0.0 \
    PORT=8080 \
    CONTINUITY_DATA_DIR=/var/lib/continuity-gate
WORKDIR /app
# Only the data directory belongs to the user that runs the gate: it can't change its own program.
RUN install --directory --owner=1000 --group=1000 --mode=0700 /var/lib/continuity-gate \
 && ln -s /app/dist/cli/main.js /usr/local/bin/continuity-gate
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/LICENSE /app/package.json ./
COPY --from=build /app/migrations migrations
COPY --from=build /app/dist dist
# For `continuity-gate evals --url`.
COPY --from=build /app/src/evals/scenarios src/evals/scenarios
# The image's user node, as a number: Kubernetes' runAsNonRoot can't tell who a name is.
USER 1000:1000
EXPOSE 8080
# Of the process alone: a store that is away is no reason to restart the gate. A load balancer asks /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=70s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]
