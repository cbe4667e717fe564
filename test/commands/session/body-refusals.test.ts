import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const create = (words: readonly string[], options?: RunOptions) =>
  bench.runPay(['--sandbox', 'session', 'create', ...words], options)

/** The error of a command that is refused before anything is sent. */
async function refused(words: readonly string[], options?: RunOptions) {
  const result = await create([...words, '--json'], options)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  return errorOf(result)
}

const invalid = (...validationErrors: readonly unknown[]) => ({
  code: 'invalid_body',
  exitCode: 2,
  outcome: 'none',
  validationErrors,
})

describe('refused before anything is sent', () => {
  test.each([
    ['an empty text', '', 'is empty'],
    ['white space', ' \n ', 'is empty'],
    ['a truncated object', '{"orderId":', 'line 1'],
    ['two values', '{} {}', 'not valid JSON'],
    ['a comment', '{} // x', 'not valid JSON'],
    ['single quotes', "{'orderId':'a'}", 'not valid JSON'],
    ['NaN', '{"amount":NaN}', 'not valid JSON'],
    ['a list', '[]', 'a list'],
    ['null', 'null', 'null'],
    ['text', '"x"', 'a string'],
    ['a number', '5', 'a number'],
    ['true', 'true', 'a boolean'],
    ['a key given twice', '{"amount":1,"amount":2}', 'given twice'],
    ['a key given twice, once escaped', '{"amount":1,"\\u0061mount":2}', 'given twice'],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'deeper'],
    ['__proto__', '{"__proto__":{"amount":1}}', '__proto__'],
    ['a nested __proto__', '{"customer":{"__proto__":{"x":1}}}', '__proto__'],
    ['__proto__ in a list', '{"order":{"lineItems":[{"__proto__":1}]}}', '__proto__'],
  ])('--data with %s', async (_, data, words) => {
    const error = await refused(['--data', data])
    expect(JSON.stringify(error)).toContain(words)
    expect(error).toMatchObject({ code: 'bad_data' })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('bytes that are not UTF-8', async () => {
    const stdin = new Uint8Array([...new TextEncoder().encode('{"orderId":"'), 0xff, 0x22, 0x7d])
    expect(await refused(['--data', '-'], { stdin })).toMatchObject({
      message: 'stdin is not UTF-8 text',
      hint: expect.stringContaining('UTF-8'),
    })
  })

  test.each([
    ['a missing file', '@nothing.json', 'nothing.json'],
    ['a folder', '@config', 'config'],
    ['no file name', '@', 'names no file'],
  ])('--data with %s', async (_, data, words) => {
    expect(JSON.stringify(await refused(['--data', data]))).toContain(words)
  })

  test('invalid JSON, with the reason once', async () => {
    expect(await refused(['--data', 'nul'])).toMatchObject({
      message: '--data is not valid JSON: Unexpected "n" at line 1, column 1',
    })
  })

  test.each([
    ['__proto__.x=1', '__proto__'],
    ['constructor.prototype.x=1', 'constructor'],
    ['customer.prototype=1', 'prototype'],
    ['customer.__proto__.x=1', '__proto__'],
    ['\\_\\_proto\\_\\_.x=1', '__proto__'],
    ['metadata:={"__proto__":{"x":1}}', '__proto__'],
    ['=1', 'is empty'],
    ['orderId', 'PATH=VALUE'],
    ['customer..email=1', 'empty part'],
    ['.orderId=1', 'empty part'],
    ['[0]=1', 'index'],
    ['order.lineItems[x].amount:=1', 'bracket'],
    ['order.lineItems[-1].amount:=1', 'bracket'],
    ['order.lineItems[1].amount:=1', 'no entry [1]'],
    ['order.lineItems[999999].amount:=1', 'no entry'],
    ['orderId:=', 'not valid JSON: The text is empty'],
    ['orderId:={', 'not valid JSON'],
  ])('--set %s', async (set, words) => {
    expect(JSON.stringify(await refused(['--set', set]))).toContain(words)
    // --no-validate skips the schema; the path itself must be refused too.
    await refused(['--no-validate', '--set', set])
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('--set with a path of thousands of parts', async () => {
    for (const path of [`${'a.'.repeat(60_000)}a`, `a${'[0]'.repeat(40_000)}`])
      expect(await refused(['--set', `${path}=1`])).toMatchObject({ code: 'bad_path' })
  })

  test.each(['__proto__=1', 'novalue', '=1'])('--metadata %s', async (pair) => {
    await refused(['--metadata', pair])
  })

  test('--metadata with a duplicate key', async () => {
    expect(JSON.stringify(await refused(['--metadata', 'a=1', '--metadata', 'a=2']))).toContain('twice')
  })

  test.each(['colour=red', 'amount', 'amount=1.5', 'amount=-1', 'amount=1e3', 'amount=99999999999999999'])(
    '--line-item %s',
    async (item) => {
      await refused(['--line-item', item])
    },
  )

  test.each([
    [['--fee', 'amount=1.00 EUR', '--currency', 'USD'], 'currency_conflict'],
    [['--fee', 'amount=1.00 EUR', '--shipping', '1.00 USD'], 'currency_conflict'],
    [['--line-item', 'amount=1.00 EUR,taxAmount=0.10 USD'], 'currency_conflict'],
    [['--shipping', '4.90'], 'amount_needs_currency'],
    [['--fee', 'amount=4.90'], 'amount_needs_currency'],
    [['--fee', 'amount=4.901 EUR'], 'bad_amount'],
    [['--fee', 'amont=1'], 'bad_value'],
    [['--fee', 'amount=1,amount=2'], 'given_twice'],
    [['--billing-address', 'street=Main St 1'], 'bad_value'],
    [['--billing-address', 'city'], 'bad_value'],
    [['--line-item', '__proto__=1'], 'bad_value'],
    [['--line-item', 'productData.weight=1.5'], 'bad_value'],
    [['--vault-on-success', '--no-vault-on-success'], 'given_twice'],
  ])('%j', async (words, code) => {
    expect(await refused(words)).toMatchObject({ code })
  })

  test('a misspelled field, with a suggestion', async () => {
    expect(await refused(['--line-item', 'amont=1'])).toMatchObject({
      hint: expect.stringMatching(/^Did you mean amount\? Its fields are name, itemId, amount,/),
    })
  })

  test('a file above the limit', async () => {
    writeFileSync(join(bench.folder, 'big.json'), Buffer.alloc(11 * 1024 * 1024, 0x20))
    expect(await refused(['--data', '@big.json'])).toMatchObject({
      code: 'too_large',
      message: 'big.json contains more than 10240 KB',
    })
  })

  test('an empty flag', async () => {
    expect(JSON.stringify(await refused(['--order-id', '']))).toContain('--order-id is empty')
  })
})

describe('a body with many problems', () => {
  const lines = (count: number, line: unknown) =>
    JSON.stringify({ lineItems: Array.from({ length: count }, () => line) })

  test('lists the first hundred and says how many there are', async () => {
    const error = await refused(['--data', '-'], { stdin: lines(5_000, { name: 1, y: 1 }) })
    expect(error).toMatchObject({
      message: 'The request is not valid (10000 problems, the first 100 of them listed)',
    })
    expect(error).toHaveProperty('validationErrors.length', 100)
  })

  test('lists an error even after hundreds of warnings', async () => {
    const order = { lineItems: Array.from({ length: 300 }, () => ({ productType: 'NEW' })), last: 1 }
    expect(await refused(['--data', '-'], { stdin: JSON.stringify({ order }) })).toMatchObject(
      invalid({ path: 'order.last', description: 'unknown field' }),
    )
  })

  test.each([
    ['130,000 lines of the wrong type', 130_000, 1],
    ['130,000 lines with an unknown field', 130_000, { x: 1 }],
    ['130,000 lines that are lists', 130_000, []],
    ['40,000 lines with wrong fields', 40_000, { amount: 'x', name: 1 }],
  ])('is refused with one problem: %s', async (_, count, line) => {
    expect(await refused(['--data', '-'], { stdin: lines(count, line) })).toMatchObject(
      invalid({ path: '$', description: 'must have at most 50000 values' }),
    )
  })
})

test('an amount in minor units without a currency teaches how to give one', async () => {
  const error = await refused(['--amount', '500'])
  expect(error).toMatchObject({
    code: 'invalid_body',
    hint: "--amount 500 is in minor units and needs a currency: add --currency, such as EUR for 5.00 EUR, or write --amount '5.00 EUR'.",
  })
  // A currency that is given and wrong isn't missing.
  expect(await refused(['--amount', '500', '--currency', 'eur'])).toMatchObject({
    hint: 'To send the body unchecked, add --no-validate.',
  })
  expect(await refused(['--data', '{"amount":500}'])).toMatchObject({
    hint: 'To send the body unchecked, add --no-validate.',
  })
})
