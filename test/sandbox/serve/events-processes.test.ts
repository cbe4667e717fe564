import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSpawnBench } from '../../support/spawn-pay.ts'
import { createPayment, newFolder, openService } from '../service.ts'
import { listening } from './event-client.ts'
import type { EventClient } from './event-client.ts'

/** Events across processes: a server is killed and started again, and other processes write in the meantime. */

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const { port } = Object(server.address())
  await new Promise((closed) => server.close(closed))
  return port
}

const requestIds = (clients: readonly EventClient[]): readonly string[] =>
  clients.flatMap(({ events }) =>
    events.flatMap(({ data }) => (Array.isArray(data) ? data.map(({ requestId }) => String(requestId)) : [])),
  )

test('two clients miss nothing and get nothing twice while the server is killed and another process writes', async () => {
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  const folder = newFolder()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const server = bench.start(['sandbox', 'start', `--port=${port}`, '--data', folder, '--json'])
    onTestFinished(() => server.kill('SIGKILL'))
    await server.says('"url"')
    return server
  }
  // This process writes to the folder of the server.
  const service = await openService(folder)
  const write = async () => {
    for (let count = 0; count < 100; count += 1) await createPayment(service, 'tok_visa')
  }

  let server = await start()
  const seen = [[await listening(url)], [await listening(url)]]
  for (let round = 0; round < 3; round += 1) {
    const before = requestIds(seen[0] ?? []).length
    const writing = write()
    await expect.poll(() => requestIds(seen[0] ?? []).length).toBeGreaterThan(before)
    server.kill('SIGKILL')
    await server.ended
    server = await start()
    for (const clients of seen) clients.push(await listening(url, { after: clients.at(-1)?.lastId() }))
    await writing
    await fetch(`${url}/payments`, { headers: { 'x-api-key': 'sandbox_all' } })
  }
  const logged = (await service.sandbox.requests.list(1_000)).map(({ requestId }) => requestId).toReversed()
  expect(logged).toHaveLength(303)
  for (const clients of seen) await expect.poll(() => requestIds(clients)).toEqual(logged)
  server.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ exitCode: 0 })
})

test('pay sandbox stop ends streams at once', async () => {
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  const server = bench.start('sandbox start --port=0 --json')
  await server.says('"url"')
  const client = await listening(String(Object(JSON.parse(server.printed())).url))
  expect(await bench.pay('sandbox stop')).toMatchObject({ exitCode: 0 })
  await client.closed
  expect(client.response.complete).toBe(true)
  expect(await server.ended).toMatchObject({ exitCode: 0 })
})
