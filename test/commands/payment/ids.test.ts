import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const service = {
  env: SERVICE_ENV,
  service: ({ url }: { readonly url: string }) => {
    const id = decodeURIComponent(/\/payments\/([^/?]+)/.exec(url)?.[1] ?? '')
    return jsonAnswer(200, { id, paymentId: id, token: 't' })
  },
}

/** Every command whose argument becomes part of the path. */
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['payment get', []],
  ['payment capture', []],
  ['payment refund', []],
  ['payment adjust', ['--amount', '1']],
  ['payment cancel', []],
  ['payment authorize', ['--processor-merchant-id', 'm']],
  ['payment resume', ['--resume-token', 'r-12345']],
  ['observability update', ['--status', 'SETTLED']],
  ['instrument default', []],
  ['instrument delete', []],
  ['instrument vault', ['--customer-id', 'c']],
]

describe.each(COMMANDS)('%s', (command, flags) => {
  test.each([
    ['empty', ''],
    ['a slash', 'a/b'],
    ['a backslash', 'a\\b'],
    ['a parent path', '..'],
    ['a parent path inside', 'p1/../p2'],
    ['two dots inside', 'a..b'],
    ['one dot', '.'],
    ['a line break', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['an escape', 'a\u001b[2Jb'],
    ['a C1 control', 'a\u0085b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('refuses an id that is %s', async (_, id) => {
    const result = await bench.runPay([...command.split(' '), ...flags, '--', id], service)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(result.stderr).not.toMatch(/[\0\u001b\u0085]/)
  })

  test.each([
    ['unicode', 'zahlung-é-🧾', 'zahlung-%C3%A9-%F0%9F%A7%BE'],
    ['a question mark', 'a?b=c', 'a%3Fb%3Dc'],
    ['a hash', 'a#b', 'a%23b'],
    ['a space', 'a b', 'a%20b'],
    ['an encoded slash', 'a%2Fb', 'a%252Fb'],
    ['a dash at the start', '-x', '-x'],
    ['braces', '{id}', '%7Bid%7D'],
    ['10 kB', 'x'.repeat(10_000), 'x'.repeat(10_000)],
  ])('encodes an id with %s', async (_, id, encoded) => {
    const result = await bench.runPay([...command.split(' '), ...flags, '--', id], service)
    expect(result.exitCode).toBe(0)
    for (const request of result.requests) expect(new URL(request.url).pathname).toContain(`/${encoded}`)
  })
})

test("refuses an invalid id before it reads the payment's currency", async () => {
  const result = await bench.runPay(['payment', 'refund', 'a/b', '--amount', '1.00 EUR'], service)
  expect(result).toMatchObject({ exitCode: 2, requests: [] })
})
