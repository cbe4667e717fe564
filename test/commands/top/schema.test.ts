import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPERATIONS } from '../../../src/api/table.ts'
import type { Operation } from '../../../src/api/operation.ts'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const operations: readonly Operation[] = OPERATIONS

const bench = useBench()

describe('pay schema', () => {
  test('lists every operation', async () => {
    const { exitCode, stdout, stderr } = await bench.runPay('schema')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n').slice(1)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
      operations.map(({ id, method, path, summary }) => [id, method, path, summary]),
    )
  })

  test('shows complete ids on a narrow terminal', async () => {
    const { stdout } = await bench.runPay('schema', { tty: true, columns: 60, env: { NO_COLOR: '1' } })
    for (const { id } of operations) expect(stdout).toContain(id)
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
  })

  test('prints an array with --json and only ids with -o id', async () => {
    const { stdout } = await bench.runPay('schema --json')
    expect(JSON.parse(stdout)).toEqual(
      operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
    )
    const ids = await bench.runPay('schema -o id')
    expect(ids.stdout).toBe(`${operations.map(({ id }) => id).join('\n')}\n`)
  })

  test('needs no account, creates no file and sends nothing', async () => {
    const env = { PAY_API_KEY: 'key-that-goes-nowhere', PAY_PROFILE: 'there-is-none' }
    for (const words of ['schema', 'schema payment.capture', 'schema payment.get', 'schema --openapi']) {
      const ran = await bench.runPay(words, { env })
      expect(ran).toMatchObject({ exitCode: 0, requests: [], questions: [] })
      expect(`${ran.stdout}${ran.stderr}`).not.toContain('key-that')
    }
    expect(readdirSync(bench.configFolder)).toEqual([])
    expect(readdirSync(bench.stateFolder)).toEqual([])
  })
})

describe('pay schema OPERATION', () => {
  test.each(operations.map(({ id, request }) => [id, request !== undefined] as const))(
    '%s prints the schema of its request, or of its response if it has no body',
    async (id, hasBody) => {
      const { exitCode, stdout, stderr } = await bench.runPay(['schema', id])
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `urn:payctl:${id}:${hasBody ? 'request' : 'response'}`,
        title: expect.stringMatching(/^\w+$/),
        description: expect.stringMatching(/^[A-Z]/),
        type: 'object',
        additionalProperties: !hasBody,
      })
      if (hasBody) expect(stderr).toBe('')
      else expect(stderr).toContain(`${id} takes no body`)
    },
  )

  test('has the currencies of ISO 4217', async () => {
    const { stdout } = await bench.runPay([
      'schema',
      'payment.create',
      '--query',
      '"$defs".CurrencyCode.enum',
    ])
    const codes: unknown = JSON.parse(stdout)
    expect(codes).toEqual(expect.arrayContaining(['EUR', 'JPY', 'IQD']))
    expect(codes).not.toContain('EUX')
  })

  test('--response prints the schema of the response, which allows other fields', async () => {
    const { stdout, stderr } = await bench.runPay('schema payment.capture --response')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Payment', additionalProperties: true })
  })

  test('--query-parameters prints the schema of the query', async () => {
    const { stdout } = await bench.runPay('schema payment.list --query-parameters')
    expect(JSON.parse(stdout)).toMatchObject({
      $id: 'urn:payctl:payment.list:query',
      additionalProperties: false,
      properties: { limit: { type: 'integer', maximum: 100 } },
    })
  })

  test('mentions --query-parameters if the operation has them', async () => {
    expect((await bench.runPay('schema payment.list')).stderr).toContain('--query-parameters')
    expect((await bench.runPay('schema payment.get')).stderr).not.toContain('--query-parameters')
  })

  test('prints YAML with -o yaml and its $id with -o id', async () => {
    const [json, yaml, id] = [
      await bench.runPay('schema payment.refund --json'),
      await bench.runPay('schema payment.refund -o yaml'),
      await bench.runPay('schema payment.refund -o id'),
    ]
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
    expect(id.stdout).toBe('urn:payctl:payment.refund:request\n')
  })
})

describe('pay schema --openapi', () => {
  test('prints the same document as JSON and YAML', async () => {
    const { stdout, stderr } = await bench.runPay('schema --openapi')
    expect(stderr).toBe('')
    const document: unknown = JSON.parse(stdout)
    expect(document).toMatchObject({
      openapi: '3.1.0',
      tags: expect.arrayContaining([{ name: 'payment', description: 'Payments' }]),
    })
    const yaml = await bench.runPay('schema --openapi -o yaml')
    expect(parse(yaml.stdout, { maxAliasCount: 0 })).toEqual(document)
  })

  test('--query selects one operation', async () => {
    const { stdout } = await bench.runPay([
      'schema',
      '--openapi',
      '--query',
      'paths."/payments".post.operationId',
    ])
    expect(JSON.parse(stdout)).toBe('payment.create')
  })
})

test.each([
  ['schema paymnt.capture', 'bad_value', 'Did you mean payment.capture?'],
  ['schema payment', 'bad_value', 'One of payment.create, '],
  ['schema something.else.altogether', 'bad_value', 'To list the operations, run pay schema.'],
  ['schema --response', 'missing_input', 'pay schema'],
  ['schema --query-parameters', 'missing_input', 'pay schema'],
  ['schema payment.list --response --query-parameters', 'given_twice', 'Choose one'],
  ['schema --openapi --response', 'given_twice', 'Choose one'],
  ['schema payment.get --openapi', 'given_twice', 'Leave out'],
  ['schema payment.capture --query-parameters', 'bad_value', 'pay schema payment.capture'],
  ['schema payment.get --dry-run', 'bad_value', 'Leave out --dry-run'],
  ['schema --opnapi', 'unknown_flag', 'Did you mean --openapi?'],
])('refused: pay %s: %s', async (words, code, advice) => {
  const refused = await bench.runPay(`${words} -o json`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(errorOf(refused)).toMatchObject({ code, exitCode: 2 })
  expect(refused.stderr).toContain(advice)
})
