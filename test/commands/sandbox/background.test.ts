import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const READY = {
  id: 'server-1',
  pid: 77,
  machine: 'test-machine',
  url: 'http://127.0.0.1:4999',
  host: '127.0.0.1',
  port: 4999,
  dataDir: '/data',
  ephemeral: false,
  idempotency: 'reject',
  startedAt: '2026-03-01T12:00:00.000Z',
  version: '0.0.0-test',
  apiKeys: ['sandbox_all'],
  dashboardUrl: 'http://127.0.0.1:4999/dashboard',
  checkoutUrl: 'http://127.0.0.1:4999/checkout',
}

const folder = () => join(bench.stateFolder, 'sandbox-servers')
const files = () => readdirSync(folder())

/** A substitute for the server process: registers itself, writes to stderr, and prints a line or exits without one. */
const playing = (line: string | undefined, said = ''): RunOptions & { readonly started: string[][] } => {
  const started: string[][] = []
  return {
    started,
    respawn: async (words, { logFile, isExpected }) => {
      started.push([...words])
      writeFileSync(logFile, said)
      if (line === undefined || !isExpected(line)) return undefined
      writeFileSync(join(folder(), `${READY.id}.json`), JSON.stringify(READY))
      return line
    },
  }
}

describe('a server in the background', () => {
  test('returns the JSON line that the server printed', async () => {
    const ran = await bench.runPay('sandbox start --background --json', playing(JSON.stringify(READY)))
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(READY)}\n` })
  })

  test('shows people how to stop it', async () => {
    const ran = await bench.runPay('sandbox start --background', playing(JSON.stringify(READY)))
    expect(ran.stdout).toContain(READY.url)
    expect(ran.stdout).toContain('pay sandbox stop')
    expect(ran.stdout).not.toContain('Ctrl-C')
  })

  test('passes on its options, with an absolute folder', async () => {
    const other = playing(JSON.stringify(READY))
    await bench.runPay(
      'sandbox start --background --port 4999 --host ::1 --allow-host shop.test --allow-host [fd00::1] --allow-origin https://SHOP.test/ --data here --idempotency replay',
      other,
    )
    await bench.runPay('sandbox start --background --ephemeral', other)
    expect(other.started).toEqual([
      [
        'sandbox',
        'start',
        '--port=4999',
        '--host=::1',
        '--allow-host=shop.test',
        '--allow-host=fd00::1',
        '--allow-origin=https://shop.test',
        `--data=${join(bench.folder, 'here')}`,
        '--idempotency=replay',
        '--json',
        '--quiet',
      ],
      [
        'sandbox',
        'start',
        '--port=4010',
        '--host=127.0.0.1',
        '--ephemeral',
        '--idempotency=reject',
        '--json',
        '--quiet',
      ],
    ])
  })

  test('writes its output to a log named after its id', async () => {
    await bench.runPay('sandbox start --background', playing(JSON.stringify(READY), 'a warning\n'))
    expect(files().toSorted()).toEqual(['server-1.json', 'server-1.log'])
    expect(readFileSync(join(folder(), 'server-1.log'), 'utf8')).toBe('a warning\n')
  })

  test('leaves no log if it has already ended', async () => {
    const ran = await bench.runPay('sandbox start --background --json', {
      respawn: async (_, { logFile }) => {
        writeFileSync(logFile, 'a warning\n')
        return JSON.stringify(READY)
      },
    })
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(READY)}\n` })
    expect(files()).toEqual([])
  })

  test('warns if other machines can reach it', async () => {
    const ran = await bench.runPay(
      'sandbox start --background --host 0.0.0.0 --allow-host shop.test',
      playing(JSON.stringify(READY)),
    )
    expect(ran.stderr).toContain('Warning: other machines can reach 0.0.0.0.')
  })
})

describe('a server that never becomes ready', () => {
  test('passes on its error and exit code', async () => {
    const error = {
      code: 'sandbox_busy',
      exitCode: 9,
      message: 'Another process holds it',
      hint: 'Wait.',
      next: ['pay sandbox status'],
    }
    const said = `Warning: a line before\n${JSON.stringify({ error })}\n`
    const ran = await bench.runPay('sandbox start --background --json', playing(undefined, said))
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
    expect(errorOf(ran)).toEqual({ ...error, outcome: 'none' })
    expect(files()).toEqual([])
  })

  test.each([
    ['says nothing', undefined, ''],
    ['ends with words', undefined, 'Segmentation fault\n'],
    ['ends with an unknown error code', undefined, '{"error":{"code":"x","exitCode":99,"message":"m"}}'],
    ['prints something else', 'hello', ''],
    ['prints another JSON', '{"url":"http://127.0.0.1:1"}', ''],
  ])('is an internal error with its last output when it %s', async (_, line, said) => {
    const ran = await bench.runPay('sandbox start --background --json', playing(line, said))
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    const error = errorOf(ran)
    expect(error).toMatchObject({ code: 'internal', outcome: 'none' })
    if (said.startsWith('Seg')) expect(error.hint).toContain('Segmentation fault')
    expect(files()).toEqual([])
  })

  test('leaves no log if it cannot be started', async () => {
    const ran = await bench.runPay('sandbox start --background --json', {
      respawn: async (_, { logFile }) => {
        writeFileSync(logFile, '')
        throw new Error('spawn EAGAIN')
      },
    })
    expect(ran).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('spawn EAGAIN') })
    expect(files()).toEqual([])
  })

  test('is stopped with the command that waits for it', async () => {
    const stop = new AbortController()
    const ran = await bench.runPay('sandbox start --background', {
      signal: stop.signal,
      respawn: async (_, { logFile, signal }) => {
        writeFileSync(logFile, '')
        expect(signal).toBe(stop.signal)
        stop.abort('SIGTERM')
        return undefined
      },
    })
    expect(ran).toMatchObject({ exitCode: 143, stdout: '' })
    expect(files()).toEqual([])
  })
})

test('reports invalid flags before it starts anything', async () => {
  const other = playing(JSON.stringify(READY))
  expect(await bench.runPay('sandbox start --background --port x', other)).toMatchObject({ exitCode: 2 })
  expect(other.started).toEqual([])
  expect(existsSync(folder())).toBe(false)
})

test('reports a state folder that is not writable', async () => {
  writeFileSync(folder(), 'a file')
  const ran = await bench.runPay('sandbox start --background --json', playing(JSON.stringify(READY)))
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ran.stderr).toContain('"code":"sandbox_not_writable"')
})
