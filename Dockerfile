FROM node:24-slim AS build
WORKDIR /app

# Dependencies first: a change of the source alone keeps this layer. No script of theirs is needed;
# the devDependency `node` would load a Node that the image has.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund

COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
WORKDIR /app
COPY --from=build /app ./

# The embedded database, used when DATABASE_URL is not set, lives in data/; nothing else is written.
RUN mkdir data && chown node:node data
USER node

EXPOSE 3000
# Not through npm or a shell: SIGTERM has to reach the server, which then finishes what it began.
CMD ["node", "--max-semi-space-size=8", "src/start.mjs"]
