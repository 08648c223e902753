FROM node:24-slim
WORKDIR /app

# Dependencies first: a change of the source alone keeps this layer. The devDependency `node` stays
# out, the image brings its own.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

COPY . .

# The embedded database, used when DATABASE_URL is not set, lives in data/; nothing else is written.
RUN mkdir data && chown node:node data
USER node

EXPOSE 3000
# Not through npm or a shell: SIGTERM has to reach the server, which then finishes what it began.
CMD ["node", "--max-semi-space-size=8", "src/start.mjs"]
