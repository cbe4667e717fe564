import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPathBench } from '../support/spawn-pay.ts'
import type { PathBench, Running, SpawnOptions } from '../support/spawn-pay.ts'
import { CTRL_C, inTerminal, terminalTest } from '../support/pseudo-terminal.ts'

/** `pay sandbox start` of the built program, with curl as its client. */

let bench: PathBench
let temporary: string
beforeEach(() => {
  bench = createPathBench()
  temporary = join(bench.folder, 'tmp')
  mkdirSync(temporary)
})
afterEach(async () => {
  await pay('sandbox stop --all')
  bench.dispose()
})

const env = () => ({ ...bench.env, TMPDIR: temporary })
const pay = (words: string) => bench.pay(words, { env: env() })
const shell = (line: string, options: SpawnOptions = {}) => bench.shell(line, { ...options, env: env() })

interface Server extends Running {
  readonly url: string
  readonly dataDir: string
}

/** Starts a server in the foreground on a free port. */
async function start(words = ''): Promise<Server> {
  const running = bench.start(`sandbox start --port 0 --json ${words}`.trim(), { env: env() })
  const line = await firstLine(running)
  return { ...running, ...Object(JSON.parse(line)) }
}

const firstLine = (running: Running): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ''
    running.child.stdout?.on('data', (text: string) => {
      printed += text
      if (printed.includes('\n')) resolve(printed.slice(0, printed.indexOf('\n')))
    })
    running.ended.then(({ stderr }) => reject(new Error(`the server did not start: ${stderr}`)), reject)
  })

const curl = (url: string, more = '') => shell(`curl -sS -m 20 -H 'X-API-KEY: sandbox_all' ${more} '${url}'`)
const post = (url: string, body: unknown) =>
  curl(url, `-H 'Content-Type: application/json' --data '${JSON.stringify(body)}'`)

const PAYMENT = { paymentMethodToken: 'tok_autocapture', amount: 1000, currencyCode: 'EUR', orderId: 'A-1' }

async function createPayment(url: string): Promise<string> {
  const made = await post(`${url}/payments`, PAYMENT)
  return Object(JSON.parse(made.stdout)).id
}

/** Waits until a request has arrived: the log has it before it is answered. */
async function arrived(url: string, path: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const log = await curl(`${url}/sandbox/requests`)
    if (log.stdout.includes(`"path":"${path}"`)) return
  }
  throw new Error(`${path} never arrived`)
}

test('the server is ready when its first line is printed', async () => {
  const server = await start()
  const id = await createPayment(server.url)
  const seen = await curl(`${server.url}/payments/${id}`, '-i')
  expect(seen.stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(seen.stdout).toMatch(/^x-request-id: \S+\r$/im)
  expect((await pay(`--sandbox payment get ${id} -o id`)).stdout).toBe(`${id}\n`)
})

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s answers requests in flight and exits 0',
    async (signal) => {
      const server = await start()
      const id = await createPayment(server.url)
      const slow = { on: 'POST /payments/*/refund', do: 'delay=700ms' }
      await post(`${server.url}/sandbox/faults`, slow)
      const refund = post(`${server.url}/payments/${id}/refund`, { amount: 400 })
      await arrived(server.url, `/payments/${id}/refund`)
      server.kill(signal)
      expect(JSON.parse((await refund).stdout)).toMatchObject({ processor: { amountRefunded: 400 } })
      expect(await server.ended).toMatchObject({ exitCode: 0 })
      expect((await curl(server.url)).exitCode).toBe(7)
      expect(readdirSync(join(bench.stateFolder, 'sandbox-servers'))).toEqual([])
    },
  )

  terminalTest('Ctrl-C in a terminal exits 0', async () => {
    // `exec` replaces the shell, which would get Ctrl-C too.
    const { exitCode, screen } = await inTerminal('exec pay sandbox start --port 0', {
      env: env(),
      steps: [{ when: 'Ctrl-C', type: CTRL_C }],
    })
    expect(exitCode, screen).toBe(0)
    expect(screen).not.toContain('✗')
  })

  test('a hanging request does not delay it', async () => {
    const server = await start()
    await post(`${server.url}/sandbox/faults`, { on: 'GET /payments', do: 'hang' })
    const hanging = curl(`${server.url}/payments`)
    await arrived(server.url, '/payments')
    server.kill('SIGINT')
    expect(await server.ended).toMatchObject({ exitCode: 0 })
    expect((await hanging).exitCode).not.toBe(0)
  })

  test('kill -9 loses no answered request, and the list drops the server', async () => {
    const server = await start()
    const id = await createPayment(server.url)
    server.kill('SIGKILL')
    await server.ended
    expect(await pay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    const next = await start()
    expect(JSON.parse((await curl(`${next.url}/payments/${id}`)).stdout)).toMatchObject({ id })
  })
})

describe('--ephemeral', () => {
  test('leaves nothing after a signal', async () => {
    const server = await start('--ephemeral')
    await createPayment(server.url)
    expect(readdirSync(temporary)).toHaveLength(1)
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0 })
    expect(readdirSync(temporary)).toEqual([])
    expect(existsSync(join(bench.stateFolder, 'sandbox'))).toBe(false)
  })

  test('leaves nothing after kill -9 and the next status', async () => {
    const server = await start('--ephemeral')
    await createPayment(server.url)
    server.kill('SIGKILL')
    await server.ended
    await pay('sandbox status')
    expect(readdirSync(temporary)).toEqual([])
  })
})

test('two servers share one folder', async () => {
  const [one, other] = await Promise.all([start(), start()])
  const id = await createPayment(one.url)
  const refunds = await Promise.all(
    [one, other, one, other].map(({ url }) => post(`${url}/payments/${id}/refund`, { amount: 300 })),
  )
  const kinds = refunds.map(({ stdout }) => Object(JSON.parse(stdout)).error?.errorId ?? 'refunded')
  expect(kinds.filter((kind) => kind === 'refunded')).toHaveLength(3)
  expect(kinds).toContain('UnprocessableRefundAmount')
})

describe('--background', () => {
  test('returns when the server is ready; status and stop find it', async () => {
    const started = await pay('sandbox start --background --port 0 --json')
    expect(started).toMatchObject({ exitCode: 0, stderr: 'embedded sandbox: no real money\n' })
    expect(started.stdout.indexOf('\n')).toBe(started.stdout.length - 1)
    const { url, pid, id } = JSON.parse(started.stdout)
    await createPayment(url)
    expect(JSON.parse((await pay('sandbox status --json')).stdout)).toMatchObject([{ url, pid, id }])
    expect(await pay('sandbox stop')).toMatchObject({ exitCode: 0, stdout: `Stopped ${url}\n` })
    expect((await curl(url)).exitCode).toBe(7)
    expect(readdirSync(join(bench.stateFolder, 'sandbox-servers'))).toEqual([])
  })

  terminalTest('outlives its terminal', async () => {
    const { exitCode, screen } = await inTerminal('pay sandbox start --background --port 0 -o id', {
      env: env(),
    })
    expect(exitCode, screen).toBe(0)
    const [url] = /http:\/\/[\d.:]+/.exec(screen) ?? []
    expect(await curl(`${url}/payments`)).toMatchObject({ exitCode: 0, stdout: '{"data":[]}' })
  })

  test('makes files that only their owner can read, regardless of the umask', async () => {
    await shell('umask 000; pay sandbox start --background --port 0')
    const folder = join(bench.stateFolder, 'sandbox-servers')
    expect(
      readdirSync(folder)
        .map((name) => name.replace(/.*\./, ''))
        .toSorted(),
    ).toEqual(['json', 'log'])
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    )
    expect(modes).toEqual(['700', '600', '600'])
  })

  test('reports the error and exit code of a server that does not start', async () => {
    const { url } = await start()
    const port = url.split(':').at(-1)
    const [here, behind] = await Promise.all(
      ['', '--background'].map((words) => pay(`sandbox start --port ${port} --json ${words}`.trim())),
    )
    expect(here).toMatchObject({ exitCode: 2, stdout: '' })
    expect(here?.stderr).toContain('"code":"port_in_use"')
    expect(behind).toEqual(here)
    expect(readdirSync(join(bench.stateFolder, 'sandbox-servers'))).toHaveLength(1)
  })
})
