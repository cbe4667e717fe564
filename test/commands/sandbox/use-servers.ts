import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { createBench } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { serve } from './serving.ts'
import type { Serving } from './serving.ts'

/** A new bench for each test, with sandbox servers and other programs that are closed after it. */
export function useServers() {
  let bench: Bench
  let servings: Serving[]
  let others: Server[]

  beforeEach(() => {
    bench = createBench()
    servings = []
    others = []
    // The temporary folder, where ephemeral sandboxes are created.
    vi.stubEnv('TMPDIR', join(bench.folder, 'tmp'))
    mkdirSync(join(bench.folder, 'tmp'))
  })

  afterEach(async () => {
    await Promise.all(servings.map((serving) => serving.end()))
    for (const other of others) other.closeAllConnections()
    await Promise.all(others.map((other) => new Promise((closed) => other.close(closed))))
    vi.unstubAllEnvs()
    bench.dispose()
  })

  async function start(...words: readonly string[]): Promise<Serving> {
    const serving = await serve(bench, words)
    servings.push(serving)
    return serving
  }

  /** A program other than a sandbox server. */
  async function listen(answer: (request: IncomingMessage) => unknown): Promise<string> {
    const server = createServer((incoming, response) => response.end(JSON.stringify(answer(incoming))))
    others.push(server)
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    return `http://127.0.0.1:${Object(server.address()).port}`
  }

  const folder = () => join(bench.stateFolder, 'sandbox-servers')

  const files = () => (existsSync(folder()) ? readdirSync(folder()).toSorted() : [])

  const temporary = () => readdirSync(join(bench.folder, 'tmp'))

  /** The files that a killed server leaves behind. */
  function leaveBehind(fields: Readonly<Record<string, unknown>> = {}): void {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    const entry = {
      id: 'killed-1',
      // In these tests, only this process is alive.
      pid: 1,
      machine: 'test-machine',
      // No server listens on port 1.
      url: 'http://127.0.0.1:1',
      host: '127.0.0.1',
      port: 1,
      dataDir: join(bench.stateFolder, 'sandbox'),
      ephemeral: false,
      idempotency: 'reject',
      startedAt: '2026-03-01T12:00:00.000Z',
      version: '0.0.0-test',
      ...fields,
    }
    writeFileSync(join(folder(), `${entry.id}.json`), JSON.stringify(entry))
  }

  return {
    get bench(): Bench {
      return bench
    },
    get others(): readonly Server[] {
      return others
    },
    start,
    listen,
    folder,
    files,
    temporary,
    leaveBehind,
  }
}
