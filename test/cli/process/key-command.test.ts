import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { serve, useSpawnBench } from '../../support/use-spawn-bench.ts'

/** The built program and the command that prints its API key. */

const bench = useSpawnBench()
const KEY = 'key-of-the-command-0123456789'

const ranAt = () => join(bench.folder, 'ran')
const runs = () => (existsSync(ranAt()) ? readFileSync(ranAt(), 'utf8').length : 0)

/** Adds a profile whose key a shell script prints. */
async function addProfile(script: string, url = 'http://127.0.0.1:9') {
  const path = join(bench.folder, 'print key.sh')
  writeFileSync(path, `#!/bin/sh\nprintf x >> '${ranAt()}'\n${script}\n`)
  chmodSync(path, 0o700)
  const added = await bench.pay(
    ['profile', 'add', 'shop', '--base-url', url, '--test', '--api-key-command', `'${path}' 'one word' two`],
    {},
  )
  expect(added.exitCode, added.stderr).toBe(0)
}

describe('the command', () => {
  test('prints the key that is sent, runs once, and gets its words as they are', async () => {
    const { service } = await serve(({ url }) => ({
      body: { data: [], ...(url.includes('cursor') ? {} : { nextCursor: 'n' }) },
    }))
    await addProfile(`[ "$#:$1:$2" = '2:one word:two' ] && echo ${KEY}`, service.url)
    expect(await bench.pay('payment list --all')).toMatchObject({ exitCode: 0 })
    expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY])
    expect(runs()).toBe(1)
  })

  test('gets neither the stdin of pay nor its stderr', async () => {
    const { service } = await serve(() => ({ body: { id: 'p1', status: 'SETTLED' } }))
    await addProfile(`echo said-on-stderr >&2; echo ${KEY}$([ -t 0 ] || cat)`, service.url)
    const { exitCode, stderr } = await bench.pay('session create --data -', {
      stdin: '{"orderId":"A-1","currencyCode":"EUR","amount":500}',
    })
    expect({ exitCode, keys: service.requests.map(({ headers }) => headers['x-api-key']) }).toMatchObject({
      keys: [KEY],
    })
    expect(service.requests[0]?.body).toContain('A-1')
    expect(stderr).not.toContain('said-on-stderr')
  })

  test('is not run by a dry run, whoami, or profile show, which name it', async () => {
    await addProfile(`echo ${KEY}`)
    await bench.pay('payment cancel p1 --dry-run')
    for (const line of ['whoami', 'profile show', 'profile show --json'])
      expect((await bench.pay(line)).stdout).toContain('print key.sh')
    expect(runs()).toBe(0)
  })

  test('is tried by doctor', async () => {
    await addProfile('exit 3')
    const { exitCode, stdout } = await bench.pay('doctor')
    expect(exitCode).toBe(2)
    expect(stdout).toMatch(/problem +key +The command for the API key ended with exit code 3/)
    expect(runs()).toBe(1)
  })
})

describe('is exit 4, sends nothing and shows nothing of its output if it', () => {
  test.each([
    ['fails', 'echo sekrit; echo sekrit >&2; exit 7', 'ended with exit code 7'],
    ['prints nothing', 'exit 0', 'printed no key: its output is empty'],
    ['prints two lines', 'echo sekrit-1; echo sekrit-2', 'printed no key: its output has more than one line'],
    ['prints a sentence', 'echo the sekrit key', 'printed no key: its output contains a space'],
    ['prints too much', 'while :; do echo sekrit-sekrit-sekrit; done', 'printed too much for a key'],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
  ])('%s', async (_, script, why) => {
    const { service } = await serve(() => ({ body: { data: [] } }))
    await addProfile(script, service.url)
    const result = await bench.pay('payment list --json --debug')
    expect(result).toMatchObject({ exitCode: 4, stdout: '' })
    expect(errorOf(result)).toMatchObject({
      code: 'key_command_failed',
      outcome: 'none',
      message: `The command for the API key ${why}`,
      hint: 'Nothing was sent. Run the command yourself: pay profile show names it.',
    })
    expect(result.stderr).not.toContain('sekrit')
    expect(service.requests).toEqual([])
  })

  test("can't be found", async () => {
    await bench.pay([
      'profile',
      'add',
      'shop',
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key-command',
      'no-such-program x',
    ])
    expect(errorOf(await bench.pay('payment list --json')).message).toBe(
      "The command for the API key can't be started: there is no such program",
    )
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the command and pay', async (signal, exitCode) => {
  await addProfile(`echo $$ > '${bench.folder}/pid'; printf y >> '${ranAt()}'; exec sleep 60`)
  const running = bench.start('payment list')
  await vi.waitFor(() => expect(runs()).toBe(2), { timeout: 20_000 })
  running.kill(signal)
  expect(await running.ended).toMatchObject({ exitCode, stdout: '' })
  const pid = Number(readFileSync(join(bench.folder, 'pid'), 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
