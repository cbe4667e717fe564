import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from '../histories/http-client.ts'
import { serveFolder } from '../histories/served.ts'
import { at, newFolder, seededRandom, textAt } from '../sandbox/service.ts'
import { cuttingProxy } from '../client/ledger/team/cutting-proxy.ts'
import type { Cut } from '../client/ledger/team/cutting-proxy.ts'
import { hasPostgres, postgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'

/** Processes, their database and the wire between them are killed while they refund the same payments. */

const ROUNDS = Number(process.env['TEAM_ROUNDS'] ?? 6)
const SEED = Number(process.env['TEAM_SEED'] ?? 1)
/** Of an attempt that may take a second, and a little more. */
const LEASE_MS = 32_000

interface Written {
  readonly id: string
  readonly state: string
  readonly exitCode: number | null
  readonly target: string
}

test.skipIf(!hasPostgres).each([2, 8])(
  '%i clients: nothing is done twice, lost, or left in doubt',
  async (clients) => {
    const random = seededRandom(SEED + clients)
    const below = (most: number): number => Math.floor(random() * most)
    const server = await postgres()
    const { url } = await teamDatabase()
    const served = await serveFolder(newFolder())
    const service = httpClient(served.url)
    onTestFinished(() => service.close())
    const bench = createSpawnBench()
    onTestFinished(() => bench.dispose())
    const envOf = (client: string, address = url) => {
      const folder = join(bench.folder, client)
      for (const name of [folder, join(folder, 'config'), join(folder, 'state')])
        mkdirSync(name, { recursive: true, mode: 0o700 })
      return {
        PAY_API_KEY: 'sandbox_all',
        PAY_BASE_URL: served.url,
        PAY_LEDGER: address,
        PAY_LEDGER_ACCOUNT: 'acme',
        PAY_CONFIG_DIR: join(folder, 'config'),
        PAY_STATE_DIR: join(folder, 'state'),
        HOME: folder,
      }
    }
    const someCut = (): Cut | undefined => {
      const kind = below(5)
      if (kind < 2) return undefined
      if (kind === 2) return { after: below(5000), of: 'requests' }
      if (kind === 3) return { after: below(3000), of: 'answers' }
      return { commit: 1 + below(2), bytes: below(13) }
    }
    const payments: string[] = []
    const reported = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const made = await service.send(
        'POST',
        '/payments',
        {
          paymentMethodToken: 'tok_autocapture',
          amount: 2000,
          currencyCode: 'EUR',
          orderId: `order-${round}`,
        },
        `key-${round}`,
      )
      const payment = textAt(made.body, 'id')
      payments.push(payment)
      const crash = below(8) === 0 ? server.crash() : undefined
      const ends = await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const proxy = await cuttingProxy(server.port, [someCut()])
          const running = bench.start(
            [
              'payment',
              'refund',
              payment,
              '--amount',
              '100',
              '--yes',
              '--again',
              '--json',
              '--timeout',
              '1s',
              '--max-retries',
              '1',
            ],
            { env: envOf(`client-${client}`, url.replace(`:${server.port}/`, `:${proxy.port}/`)) },
          )
          const timer = below(3) === 0 ? setTimeout(() => running.kill('SIGKILL'), below(1500)) : undefined
          const ended = await running.ended
          clearTimeout(timer)
          proxy.close()
          return ended
        }),
      )
      await crash
      for (const { exitCode, signal, stderr } of ends)
        if (signal === null) expect([0, 6, 9, 10], `round ${round}: ${stderr}`).toContain(exitCode)
      reported.set(payment, ends.filter(({ exitCode }) => exitCode === 0).length)
    }
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS))
    // What is sent again is only certain after a while.
    const resolver = { env: envOf('resolver') }
    await bench.pay('ops resolve --all --yes', resolver)
    const listed = await bench.pay('ops list --json', resolver)
    const written: readonly Written[] = JSON.parse(listed.stdout)
    for (const payment of payments) {
      const writes = written.filter(({ target }) => target === payment)
      const done = writes.filter(({ state, exitCode }) => state === 'confirmed' && exitCode === 0).length
      const isOpen = writes.filter(({ state }) => state === 'sending' || state === 'in-doubt')
      expect(isOpen, payment).toEqual([])
      expect(
        at((await service.send('GET', `/payments/${payment}`)).body, 'processor', 'amountRefunded') ?? 0,
        payment,
      ).toBe(100 * done)
      expect(done, payment).toBeGreaterThanOrEqual(reported.get(payment) ?? 0)
    }
  },
  7_200_000,
)
