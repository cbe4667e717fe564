import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe('tokenize', () => {
  test('turns a test card into a token, with or without spaces in its number', async () => {
    for (const card of ['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111']) {
      const result = await bench.runPay(['sandbox', 'tokenize', '--card', card, '--json'])
      expect(result).toMatchObject({ exitCode: 0 })
      expect(JSON.parse(result.stdout)).toEqual({ paymentMethodToken: expect.stringMatching(/^[\w-]{36}$/) })
      expect(result.stdout + result.stderr).not.toContain(card)
    }
  })

  test.each([
    ['a card that is not a test card', '4012888888881881'],
    ['letters', 'card'],
    ['nothing', ''],
    ['a thousand digits', '4'.repeat(1000)],
  ])('refuses %s without repeating it', async (_, card) => {
    const result = await bench.runPay(['sandbox', 'tokenize', '--card', card])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).not.toContain('4012888888881881')
    expect(result.stderr).not.toContain('4444444444444')
  })

  test('reports missing input', async () => {
    const result = await bench.runPay('sandbox tokenize')
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--card') })
  })

  test('asks for the card on a terminal', async () => {
    const result = await bench.runPay('sandbox tokenize', { answers: { Card: '4111111111111111' } })
    expect(result).toMatchObject({ exitCode: 0 })
  })

  test.each([['nobody'], ['a.b.c'], ['eyJhbGciOiJub25lIn0.e30.']])(
    'refuses the client token %s without repeating it',
    async (token) => {
      const words = ['sandbox', 'tokenize', '--card', '4111111111111111', '--client-token', token]
      const result = await bench.runPay(words)
      expect(result).toMatchObject({ exitCode: 2, stdout: '' })
      expect(result.stderr).not.toContain(token)
    },
  )

  test('takes the client token from stdin', async () => {
    const made = await bench.runPay('--sandbox session create --order-id A-1 -o id')
    const words = 'sandbox tokenize --card 4111111111111111 --client-token - -o id'
    expect(await bench.runPay(words, { stdin: made.stdout })).toMatchObject({ exitCode: 0 })
    expect(await bench.runPay(words, { stdin: '' })).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('refuses the client token of a session that has expired', async () => {
    const made = await bench.runPay('--sandbox session create --order-id A-1 -o id')
    await bench.runPay('sandbox clock advance 25h')
    const token = made.stdout.trim()
    const words = ['sandbox', 'tokenize', '--card', '4111111111111111', '--client-token', token]
    expect(await bench.runPay(words)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('challenge', () => {
  test.each([
    ['no words', 'sandbox challenge', 'CLIENT_TOKEN'],
    ['no outcome', 'sandbox challenge some-token', '--outcome'],
    ['an unknown outcome', 'sandbox challenge some-token --outcome passed', 'pass or fail'],
    ['an unknown token', 'sandbox challenge some-token --outcome pass', 'Unknown client token'],
  ])('refuses %s', async (_, words, says) => {
    const result = await bench.runPay(words)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(says)
    expect(result.stderr).not.toContain('some-token')
  })

  test('can be answered again until the payment is resumed; the last answer counts', async () => {
    const created = await bench.runPay(
      "--sandbox payment create --token tok_3ds --amount '1.00 EUR' --order-id A-1 --json",
    )
    const payment: { id?: string; requiredAction?: { clientToken?: string } } = JSON.parse(created.stdout)
    const clientToken = payment.requiredAction?.clientToken ?? ''
    const answer = async (outcome: string) =>
      (
        await bench.runPay(['sandbox', 'challenge', '-', '--outcome', outcome, '-o', 'id'], {
          stdin: clientToken,
        })
      ).stdout
    await answer('fail')
    const resumeToken = (await answer('pass')).trim()
    const resumed = await bench.runPay([
      '--sandbox',
      'payment',
      'resume',
      payment.id ?? '',
      '--resume-token',
      resumeToken,
      '--query',
      'status',
    ])
    expect(resumed).toMatchObject({ exitCode: 0, stdout: '"AUTHORIZED"\n' })
    const over = await bench.runPay(['sandbox', 'challenge', clientToken, '--outcome', 'pass'])
    expect(over).toMatchObject({ exitCode: 2, stdout: '' })
    expect(over.stderr).toContain('has no open challenge')
  })
})

describe('clock', () => {
  test.each([
    'sandbox clock',
    'sandbox clock back 1h',
    'sandbox clock advance',
    'sandbox clock advance 0s',
    'sandbox clock advance -1h',
    'sandbox clock advance 1',
    'sandbox clock advance tomorrow',
    'sandbox clock advance 1000000d',
    'sandbox clock show 1h',
    'sandbox clock advance 1h 2h',
  ])('refuses %s', async (words) => {
    expect(await bench.runPay(words)).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('suggests the action that a mistyped one means', async () => {
    const { stderr } = await bench.runPay('sandbox clock advanc 2h')
    expect(stderr).toContain('Did you mean advance?')
  })

  test('moves forward and keeps the time', async () => {
    const now = async () => (await bench.runPay('sandbox clock show --query now')).stdout
    const before = Date.parse(`${JSON.parse(await now())}`)
    expect(await bench.runPay('sandbox clock advance 1h30m')).toMatchObject({ exitCode: 0 })
    await bench.runPay('sandbox clock advance 30m')
    expect(Date.parse(`${JSON.parse(await now())}`) - before).toBe(2 * 3_600_000)
  })

  test('handles years of small steps', async () => {
    for (let step = 0; step < 3; step += 1) await bench.runPay('sandbox clock advance 36500d')
    const shown = await bench.runPay('sandbox clock show')
    const made = await bench.runPay('--sandbox session create --order-id A-1')
    for (const { exitCode } of [shown, made]) expect([0, 2]).toContain(exitCode)
  })
})

describe('reset', () => {
  test('empties the sandbox and resets its clock', async () => {
    await bench.runPay("--sandbox payment create --token tok_visa --amount '1.00 EUR' --order-id A-1")
    await bench.runPay('sandbox clock advance 5d')
    expect(await bench.runPay('sandbox reset')).toMatchObject({ exitCode: 0 })
    expect((await bench.runPay('--sandbox payment list -o id')).stdout).toBe('')
    expect(JSON.parse((await bench.runPay('sandbox clock show --json')).stdout)).toMatchObject({
      offsetMs: 0,
    })
  })

  test('works on this machine regardless of the profile and the environment', async () => {
    const env = { PAY_API_KEY: 'key_of_a_live_0000', PAY_BASE_URL: 'https://api.example.com' }
    expect(await bench.runPay('sandbox reset', { env })).toMatchObject({ exitCode: 0, requests: [] })
    expect(existsSync(join(bench.stateFolder, 'sandbox'))).toBe(true)
  })

  test('takes no arguments', async () => {
    expect(await bench.runPay('sandbox reset everything')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(readdirSync(bench.stateFolder)).toEqual([])
  })
})

test('scenarios lists every card and token and writes nothing', async () => {
  const { stdout, exitCode } = await bench.runPay('sandbox scenarios --json')
  expect(exitCode).toBe(0)
  for (const name of ['tok_visa', 'tok_declined', 'tok_3ds', 'tok_refund_fails', 'SANDBOX_GAMMA', 'points-1'])
    expect(stdout).toContain(name)
  expect(readdirSync(bench.stateFolder)).toEqual([])
})

test.each(['', ' --json'])('scenarios says that the set of method types is open:%s', async (format) => {
  const { stdout } = await bench.runPay(`sandbox scenarios${format}`)
  expect(stdout).toContain('The set of method types is open')
  for (const type of ['IDEAL', 'BOLETO', 'KLARNA']) expect(stdout).toContain(type)
})

test('says on stderr that no real money is involved, unless quiet', async () => {
  for (const words of ['sandbox clock show', 'sandbox reset', '--sandbox payment list']) {
    expect((await bench.runPay(words)).stderr).toContain('embedded sandbox: no real money')
    expect((await bench.runPay(`${words} -q`)).stderr).toBe('')
  }
})

describe('--data', () => {
  test('selects another sandbox, relative to the working directory', async () => {
    await bench.runPay('sandbox clock advance 2h --data other')
    const offset = async (words: string) =>
      (await bench.runPay(`sandbox clock show ${words} --query offsetMs`)).stdout
    expect(await offset('--data other')).toBe('7200000\n')
    expect(await offset(`--data ${join(bench.folder, 'other')}`)).toBe('7200000\n')
    expect(await offset('')).toBe('0\n')
    const reset = await bench.runPay('sandbox reset --data other --json')
    expect(JSON.parse(reset.stdout)).toEqual({
      reset: true,
      folder: join(bench.folder, 'other'),
      abandoned: [],
    })
    expect(await offset('--data other')).toBe('0\n')
  })

  test('needs a folder', async () => {
    for (const words of ['clock show', 'reset', 'tokenize --card 4111111111111111']) {
      expect(await bench.runPay(`sandbox ${words} --data=`)).toMatchObject({ exitCode: 2, stdout: '' })
    }
    writeFileSync(join(bench.folder, 'file'), '')
    expect(await bench.runPay('sandbox reset --data file')).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
