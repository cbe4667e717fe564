import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hasPostgres, postgres, teamDatabase } from '../../client/ledger/team/postgres.ts'
import { createBench } from '../../support/run-pay.ts'
import { answers, teamEnv } from './team-machine.ts'

test.skipIf(!hasPostgres)("a team's ledger is connected to while the payment is read", async () => {
  const { port } = await postgres()
  const { url } = await teamDatabase()
  let onConnected = () => {}
  const connected = new Promise<string>((resolve) => {
    onConnected = () => resolve('connected')
  })
  const proxy = createServer((client) => {
    onConnected()
    client.pipe(connect(port, '127.0.0.1')).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const bench = createBench()
  onTestFinished(() => {
    proxy.close()
    bench.dispose()
  })
  const address = proxy.address()
  const through = typeof address === 'object' ? `:${address?.port}/` : ''
  const seen: string[] = []
  const sent = await bench.runPay(['payment', 'refund', 'p1', '--amount', '5.00 EUR', '--yes'], {
    env: teamEnv(url.replace(`:${port}/`, through), bench),
    service: async ({ method }) => {
      // The payment is only answered once the database has been called, or never is.
      if (method === 'GET')
        seen.push(
          await Promise.race([
            connected,
            new Promise<string>((resolve) => setTimeout(resolve, 3_000, 'not connected')),
          ]),
        )
      return answers()
    },
  })
  expect(sent, sent.stderr).toMatchObject({ exitCode: 0 })
  // For its currency, and right before it is sent.
  expect(seen).toEqual(['connected', 'connected'])
})
