import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { newFolder, seededRandom } from '../sandbox/service.ts'
import { httpClient } from './http-client.ts'
import { serveFolder } from './served.ts'
import { expectTruth } from './verdict.ts'
import { nothingTold, step } from './writer.ts'

const WRITERS = 8
const STEPS = Number(process.env['HISTORY_STEPS'] ?? 80)
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2)

function folderForServers(): string {
  const folder = newFolder()
  onTestFinished(() => rmSync(`${folder}-state`, { recursive: true, force: true }))
  return folder
}

/** Writers with separate connections, seeds and names that contend for the same payments. */
function startWriters(urls: readonly string[], seed: number) {
  const [told, ids] = [nothingTold(), [] as string[]]
  const writers = Array.from({ length: WRITERS }, (_, index) => {
    const client = httpClient(urls[index % urls.length] ?? '')
    onTestFinished(() => client.close())
    return { client, told, ids, random: seededRandom(seed * 100 + index), name: `writer-${seed}-${index}` }
  })
  return { told, writers }
}

test.each([
  ['one server', 1],
  ['two servers in separate processes', 2],
])('eight writers over HTTP, %s: every payment matches the responses', async (_, servers) => {
  const folder = folderForServers()
  const urls: string[] = []
  for (let count = 0; count < servers; count += 1) urls.push((await serveFolder(folder)).url)
  const { told, writers } = startWriters(urls, servers)
  await Promise.all(
    writers.map(async (writer) => {
      for (let number = 0; number < STEPS; number += 1) await step(writer, number)
    }),
  )
  expect(told.unheard).toEqual([])
  // Every kind of call succeeded at least once and was refused at least once.
  expect(told.created.size).toBeGreaterThan(10)
  expect(told.captured.size).toBeGreaterThan(5)
  expect(told.refunded.size).toBeGreaterThan(3)
  expect([...told.statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 422]))
  const reader = httpClient(urls[0] ?? '')
  onTestFinished(() => reader.close())
  await expectTruth(reader, told)
})

test('servers and in-process calls can write to one folder at the same time', async () => {
  const folder = folderForServers()
  const { url } = await serveFolder(folder)
  const { told, writers } = startWriters([url], 9)
  const sandbox = await openSandbox({ folder, now: () => new Date(), random: seededRandom(5) })
  onTestFinished(() => sandbox.close())
  const inProcess = async (number: number) => {
    const body = { paymentMethodToken: 'tok_visa', orderId: `own-${number}`, currencyCode: 'EUR', amount: 5 }
    const answer = await sandbox.handle({
      method: 'POST',
      url: '/payments',
      headers: { 'x-api-key': 'sandbox_all' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
  }
  await Promise.all([
    ...writers.map(async (writer) => {
      for (let number = 0; number < STEPS; number += 1) await step(writer, number)
    }),
    (async () => {
      for (let number = 0; number < STEPS; number += 1) await inProcess(number)
    })(),
  ])
  const reader = httpClient(url)
  onTestFinished(() => reader.close())
  await expectTruth(reader, told)
  const first = await reader.send('GET', `/payments?order_id=own-0,own-${STEPS - 1}`)
  expect(first.body).toMatchObject({ data: [{ amount: 5 }, { amount: 5 }] })
})

test(
  'kill -9 under load loses no acknowledged write and applies none twice',
  async () => {
    const folder = folderForServers()
    const random = seededRandom(Number(process.env['KILL_SEED'] ?? 1))
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await serveFolder(folder)
      const { told, writers } = startWriters([server.url], 1_000 + round)
      const wanted = 20 + Math.floor(random() * 400)
      let answers = 0
      let isDead = false
      await Promise.all(
        writers.map(async (writer) => {
          for (let number = 0; !isDead; number += 1) {
            await step(writer, number).catch((error: unknown) => {
              if (!isDead) throw error
            })
            answers += 1
            if (answers >= wanted && !isDead) {
              isDead = true
              void server.kill('SIGKILL')
            }
          }
        }),
      )
      expect(told.statuses.get(200)).toBeGreaterThan(0)
      const after = await serveFolder(folder)
      const reader = httpClient(after.url)
      await expectTruth(reader, told)
      reader.close()
      await after.kill('SIGTERM')
    }
  },
  60_000 + ROUNDS * 20_000,
)
