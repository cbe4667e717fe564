import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { PAY, createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'

/** Bodies from a real stdin and from real files. */

let bench: SpawnBench
let server: ScriptedServer
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  bench = createSpawnBench()
  server = await startScriptedServer(() => ({ status: 200, body: { clientToken: 't' } }))
  env = { PAY_API_KEY: 'key_of_a_contract_test_4711', PAY_BASE_URL: server.url }
})
afterAll(async () => {
  bench.dispose()
  await server.close()
})

const MEGABYTE = 1024 * 1024

test('100 MB on stdin are not read to the end', async () => {
  const child = spawn(process.execPath, [PAY, 'session', 'create', '--data', '-', '--json'], {
    env: { ...bench.env, ...env },
  })
  child.stdin.on('error', () => {})
  const stderr = text(child.stderr)
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  let megabytes = 0
  for (; megabytes < 100; megabytes += 1) {
    const isTaken = new Promise<boolean>((resolve) => {
      child.stdin.write(new Uint8Array(MEGABYTE).fill(0x20), (error) => resolve(error == null))
    })
    // oxlint-disable-next-line no-await-in-loop -- each write waits for the previous one
    if (!(await Promise.race([isTaken, exited.then(() => false)]))) break
  }
  expect(await exited).toBe(2)
  expect(await stderr).toContain('"code":"too_large"')
  expect(megabytes).toBeLessThan(20)
})

test('an endless file is not read to its end', async () => {
  const ended = await bench.pay('session create --data @/dev/zero --json', { env })
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' })
  expect(ended.stderr).toContain('"code":"too_large"')
})

test('a body just below the limit is sent', async () => {
  const body = JSON.stringify({ orderId: 'x'.repeat(9 * MEGABYTE) })
  writeFileSync(join(bench.folder, 'large.json'), body)
  const before = server.requests.length
  expect(await bench.pay('session create --data @large.json', { env })).toMatchObject({ exitCode: 0 })
  expect(server.requests[before]?.body === body).toBe(true)
})

describe('refused without sending anything', () => {
  test.each([
    ['an empty stdin', new Uint8Array(), 'stdin is empty'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    ['half a character at the end', new Uint8Array([0x7b, 0x7d, 0xe2, 0x82]), 'not UTF-8'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), 'not UTF-8'],
    ['incomplete JSON', '{"orderId":', 'not valid JSON'],
    ['two JSON values', '{}\n{}\n', 'not valid JSON'],
    ['deeply nested brackets', '['.repeat(100_000), 'deeper'],
  ])('%s', async (_, stdin, says) => {
    const before = server.requests.length
    const ended = await bench.pay('session create --data - --json', { env, stdin })
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ended.stderr).toContain(says)
    expect(server.requests).toHaveLength(before)
  })

  test('a prototype', async () => {
    for (const words of [
      ['--data', '{"__proto__":{"toString":1}}'],
      ['--set', '__proto__.polluted=1'],
      ['--set', 'constructor.prototype.polluted=1'],
      ['--metadata', '__proto__=1'],
    ]) {
      const ended = await bench.pay(['session', 'create', ...words], { env })
      expect(ended).toMatchObject({ exitCode: 2, stdout: '' })
    }
  })
})

test('a token from stdin must be a single line', async () => {
  const sent = await bench.pay('session get --client-token -', { env, stdin: 'token-from-stdin\n' })
  expect(sent).toMatchObject({ exitCode: 0 })
  expect(server.requests.at(-1)?.url).toBe('/client-session?clientToken=token-from-stdin')
  const refused = await bench.pay('session get --client-token -', { env, stdin: 'one\ntwo\n' })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).not.toContain('two')
})
