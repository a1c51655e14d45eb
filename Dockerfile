# The service for `serve`, `work`, `migrate` and the operator's commands. TypeScript runs directly: nothing is built.

FROM node:24.22.1-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY client/package.json client/
COPY console/package.json console/
COPY cli/package.json cli/
# Without the development tools, and without the PostgreSQL and the Node that npm would install (optional dependencies).
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund -w server -w client -w console -w cli

FROM node:24.22.1-slim
# In a container the admin port must be reachable from outside it; publish it to your monitoring alone.
ENV NODE_ENV=production \
    ADMIN_HOST=0.0.0.0 \
    DATA_DIR=/var/lib/lodgeway
RUN install -d -o node -g node -m 0700 /var/lib/lodgeway
WORKDIR /app
COPY --from=dependencies /app ./
COPY LICENSE ./
COPY server/migrations server/migrations
COPY server/src server/src
COPY client/src client/src
COPY console/src console/src
COPY cli/src cli/src
COPY docs/guide docs/guide
USER node
EXPOSE 8080 8081
VOLUME ["/var/lib/lodgeway"]
HEALTHCHECK --interval=10s --timeout=5s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT || 8081) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# docs/performance.md says what the flags are for.
ENTRYPOINT ["node", "--no-allocation-site-pretenuring", "--max-semi-space-size=8", "server/src/main.ts"]
CMD ["serve"]
