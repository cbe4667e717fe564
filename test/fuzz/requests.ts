import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import type { Operation } from '../../src/api/operation.ts'
import { OPERATIONS, RETIRED_ROUTES } from '../../src/api/table.ts'
import { withOtherBytes } from './mutate-bytes.ts'

/** A request as it is sent: the body as bytes, which need not be text. */
export interface FuzzedRequest {
  readonly method: string
  /** Path and query, as on the request line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** What the store holds that a request can be about. */
export interface Known {
  readonly paymentIds: readonly string[]
  readonly clientToken: string
  readonly resumeToken: string
  readonly savedToken: string
}

const operations: readonly Operation[] = OPERATIONS

/** Values that have broken services before. */
const NASTY_JSON = [
  'null',
  'true',
  '-0',
  '0.1',
  '1e400',
  '-1',
  '9007199254740993',
  '1e3',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u0007"',
  '[]',
  '{}',
  '[[]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2}',
  '{"":1}',
  '{"toString":null,"valueOf":1,"hasOwnProperty":1}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `"${'x'.repeat(20_000)}"`,
  '9'.repeat(400),
] as const

/** Whole bodies that are sent as they are. */
export const NASTY_BODIES: readonly Buffer[] = [
  Buffer.from(''),
  Buffer.from('null'),
  Buffer.from(' \n\t '),
  Buffer.from('\uFEFF{}'),
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('{"amount":1e400}'),
  Buffer.from('{"amount":-0}'),
  Buffer.from('{"amount":9007199254740993}'),
  Buffer.from(`{"amount":${'9'.repeat(1024 * 1024 - 12)}}`),
  Buffer.from('9'.repeat(1024 * 1024)),
  Buffer.from('9'.repeat(1024 * 1024 + 1)),
  Buffer.from('['.repeat(1024 * 1024)),
  Buffer.from('{"a":'.repeat(100_000)),
  Buffer.from('"\\ud800"'),
  Buffer.from('{"__proto__":null}'),
  Buffer.from('{"amount":1,"amount":2}'),
  Buffer.from('{} {}'),
  Buffer.from('{"a":"\0"}'),
]

const folder = new URL('../fixtures/api/', import.meta.url)
/** Documented bodies, by operation. */
const DOCUMENTED: ReadonlyMap<string, readonly string[]> = new Map(
  operations.map(({ id }) => [
    id,
    readdirSync(folder)
      .filter((name) => name.startsWith(`${id}.`) && name.endsWith('.request.json'))
      .map((name) => JSON.stringify(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))),
  ]),
)

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,12}$/)
const headerValue = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,40}$/).map((text) => text.trim())
const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values)

export function requests(known: Known): fc.Arbitrary<FuzzedRequest> {
  return fc
    .constantFrom(...operations)
    .chain((operation) =>
      fc.record({
        method: usually(
          operation.method,
          fc.oneof(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'), token),
        ),
        target: targetOf(operation, known),
        headers: headers(),
        body: bodyOf(operation, known),
      }),
    )
    .map(({ body, ...request }) => ({
      ...request,
      body: request.method === 'GET' && body?.length === 0 ? undefined : body,
    }))
}

/** The ordinary in most cases: what is wrong everywhere is refused at the first door. */
const usually = <T>(ordinary: T, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(ordinary) }, { weight: 1, arbitrary: odd })

function headers(): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.record(
    {
      'x-api-key': usually(
        'sandbox_all',
        fc.oneof(
          oneOf('sandbox_readonly', 'sandbox_nobeta', '', '__proto__', 'sandbox_all, sandbox_all'),
          headerValue,
        ),
      ),
      'x-api-version': usually('2.1', fc.oneof(oneOf('2021-09-27', '1', '2.1.0', ' '), headerValue)),
      'content-type': usually(
        'application/json',
        fc.oneof(
          oneOf('text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', ''),
          headerValue,
        ),
      ),
      'x-idempotency-key': fc.oneof(oneOf('k1', 'k2', 'k3', ''), headerValue),
    },
    { requiredKeys: ['x-api-key'] },
  )
}

const NASTY_SEGMENTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%2F',
  '%E0%A4%A',
  '%F0%9F%98%80',
  '*',
  '__proto__',
  'constructor',
  'a'.repeat(3_000),
  '%',
  '%zz',
  '{id}',
  "'",
  '"',
  ';',
  '~',
] as const

function targetOf(operation: Operation, known: Known): fc.Arbitrary<string> {
  const id = operation.path.startsWith('/payments')
    ? oneOf(...known.paymentIds, 'nothing')
    : oneOf(known.savedToken, 'tok_visa', 'pay_ext_1', 'nothing')
  const segment = usually('', oneOf(...NASTY_SEGMENTS)).chain((nasty) =>
    nasty === '' ? id : fc.constant(nasty),
  )
  const path = segment.map((value) => operation.path.replace(/\{\w+\}/, value))
  const query = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constant(operation.id === 'session.get' ? `?clientToken=${known.clientToken}` : ''),
    },
    { weight: 2, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          oneOf(
            'limit',
            'cursor',
            'status',
            'order_id',
            'from_date',
            'min_amount',
            'customer_id',
            '__proto__',
          ),
          oneOf(
            '0',
            '1',
            '-1',
            '1e9',
            'x',
            'PENDING,SETTLED',
            '2026-01-01',
            '%00',
            '',
            '99999999999999999999',
          ),
        )
        .map(([name, value]) => `?${name}=${value}`),
    },
  )
  const odd = fc.oneof(
    oneOf(
      '/',
      '//',
      '/payments//',
      '/sandbox',
      '/sandbox/nothing',
      '*',
      ...RETIRED_ROUTES.map((row) => row.path),
    ),
    fc.webPath(),
  )
  return fc.oneof(
    { weight: 12, arbitrary: fc.tuple(path, query).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: odd },
  )
}

function bodyOf(operation: Operation, known: Known): fc.Arbitrary<Buffer | undefined> {
  const texts = DOCUMENTED.get(operation.id) ?? []
  const documented = texts.length === 0 ? fc.constant('{}') : oneOf(...texts)
  const current = documented.map((text) => withKnown(text, known))
  return fc.oneof(
    { weight: 3, arbitrary: current.map((text) => Buffer.from(text)) },
    { weight: 8, arbitrary: current.chain(withOtherValue) },
    { weight: 4, arbitrary: current.chain((text) => withOtherBytes(Buffer.from(text))) },
    { weight: 1, arbitrary: oneOf(...NASTY_BODIES.filter(({ length }) => length < 200_000)) },
    { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

/** Documented bodies name tokens of elsewhere: with some of this store they get further. */
function withKnown(text: string, { clientToken, resumeToken }: Known): string {
  return text
    .replace(/"clientToken":"[^"]*"/, `"clientToken":"${clientToken}"`)
    .replace(/"resumeToken":"[^"]*"/, `"resumeToken":"${resumeToken}"`)
    .replace(/"paymentMethodToken":"[^"]*"/, '"paymentMethodToken":"tok_visa"')
    .replace(/"connectionId":"[^"]*"/, '"connectionId":"points-1"')
    .replace(/"processorMerchantId":"[^"]*"/, '"processorMerchantId":"alpha-1"')
}

/** One value, or one key, made another. */
function withOtherValue(text: string): fc.Arbitrary<Buffer> {
  const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+|true|false/g)]
  if (places.length === 0) return fc.constant(Buffer.from(text))
  return fc.tuple(oneOf(...places), oneOf(...NASTY_JSON)).map(([place, other]) => {
    const start = place.index
    return Buffer.from(text.slice(0, start) + other + text.slice(start + place[0].length))
  })
}
