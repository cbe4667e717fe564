# The sandbox as a service container, and pay for jobs: docker build -t payctl .
FROM node:22-slim AS build
WORKDIR /payctl
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm pack \
  && npm install --global --ignore-scripts --no-audit --no-fund --prefix /installed payctl-*.tgz

FROM node:22-slim
COPY --from=build /installed /usr/local
USER node
# A volume gets its owner, and a tmpfs its mode alone: pay creates private folders in it.
RUN mkdir -m 1777 /home/node/pay
ENV PAY_CONFIG_DIR=/home/node/pay/config PAY_STATE_DIR=/home/node/pay/state
EXPOSE 4010
HEALTHCHECK --interval=2s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4010/sandbox/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["pay"]
# Clients name the key in PAY_SANDBOX_KEY, and reach it as localhost or sandbox.
CMD ["sandbox", "start", "--host", "0.0.0.0", "--allow-host", "sandbox"]
