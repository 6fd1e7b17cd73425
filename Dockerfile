# The service as `npm start` runs it, and the command line, for x64 and arm64:
#   docker build --tag anonymise .
#   docker run --network host --volume anonymised:/data anonymise
#   docker run --rm --network none --volume "$PWD:/files" --user "$(id -u)" anonymise anonymise letter.docx
# The service listens on the loopback alone, so it shares the network of its host.
FROM node:24-slim AS build
WORKDIR /app
COPY . .
# Packages, and the stack with the code of its functions, so that a start makes neither.
RUN node local/setup.mjs --omit=dev node local/assemble.ts

FROM node:24-slim
RUN mkdir /data /files && chown node:node /data && ln -s /app/local/bin.mjs /usr/local/bin/anonymise
COPY --from=build --chown=node:node /app /app
ENV LOCAL_DATA_DIR=/data
USER 1000
WORKDIR /files
VOLUME /data
HEALTHCHECK --start-period=30s --interval=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/api/docs`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "/app/local/start.ts"]
