// Starts nginx on its own port and folder; it answers every request with the same record.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { waitFor } from './run.mjs'

/** Without a paymentId, because another record's ID would not count as an answer. */
const ANSWER = '{"currencyCode":"EUR","amount":2500}'

/** `logTo` gets one line per request: the time of its answer, in seconds. */
const configOf = (folder, port, logTo) => `
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log crit;
events { worker_connections 512; }
http {
  log_format moment '$msec';
  access_log ${logTo === undefined ? 'off' : `${logTo} moment`};
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port};
    default_type application/json;
    location / { return 200 '${ANSWER}'; }
  }
}
`

/** `log` starts recording when requests are answered. */
export async function startNginx(nginx, parent) {
  const folder = join(parent, 'nginx')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  const configure = (logTo) => writeFileSync(config, configOf(folder, port, logTo))
  configure(undefined)
  const words = ['-p', folder, '-c', config, '-e', join(folder, 'error.log')]
  const child = spawn(nginx, words, { stdio: 'inherit' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await waitFor('nginx', () => existsSync(join(folder, 'nginx.pid')))
  return {
    url: `http://127.0.0.1:${port}`,
    log: async (path) => {
      configure(path)
      execFileSync(nginx, [...words, '-s', 'reload'])
      await waitFor('the log of nginx', () => existsSync(path))
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
