import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import type { Operation } from '../../src/api/operation.ts'
import { OPERATIONS, RETIRED_ROUTES } from '../../src/api/table.ts'
import { HOSTILE_BODIES, HOSTILE_JSON, HOSTILE_SEGMENTS } from './hostile-values.ts'
import { mutateBytes } from './mutate-bytes.ts'

/** A request on the wire. Its body may be bytes that are no text. */
export interface FuzzedRequest {
  readonly method: string
  /** Path and query, as on the request line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Ids and tokens in the store that requests can name. */
export interface Known {
  readonly paymentIds: readonly string[]
  readonly clientToken: string
  readonly resumeToken: string
  readonly savedToken: string
}

const operations: readonly Operation[] = OPERATIONS

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

/** Requests of every operation, most of them valid but for one hostile part. */
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

/** Mostly the valid value: a request with several faults is refused for the first and tests nothing else. */
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

function targetOf(operation: Operation, known: Known): fc.Arbitrary<string> {
  const id = operation.path.startsWith('/payments')
    ? oneOf(...known.paymentIds, 'nothing')
    : oneOf(known.savedToken, 'tok_visa', 'pay_ext_1', 'nothing')
  const segment = usually('', oneOf(...HOSTILE_SEGMENTS)).chain((hostile) =>
    hostile === '' ? id : fc.constant(hostile),
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
    { weight: 8, arbitrary: current.chain(replaceValue) },
    { weight: 4, arbitrary: current.chain((text) => mutateBytes(Buffer.from(text))) },
    { weight: 1, arbitrary: oneOf(...HOSTILE_BODIES.filter(({ length }) => length < 200_000)) },
    { weight: 2, arbitrary: fc.json().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

/** Replaces the tokens of a documented body by those of the store, so that the request gets past their checks. */
function withKnown(text: string, { clientToken, resumeToken }: Known): string {
  return text
    .replace(/"clientToken":"[^"]*"/, `"clientToken":"${clientToken}"`)
    .replace(/"resumeToken":"[^"]*"/, `"resumeToken":"${resumeToken}"`)
    .replace(/"paymentMethodToken":"[^"]*"/, '"paymentMethodToken":"tok_visa"')
    .replace(/"connectionId":"[^"]*"/, '"connectionId":"points-1"')
    .replace(/"processorMerchantId":"[^"]*"/, '"processorMerchantId":"alpha-1"')
}

/** Replaces one value or key by a hostile one. */
function replaceValue(text: string): fc.Arbitrary<Buffer> {
  const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+|true|false/g)]
  if (places.length === 0) return fc.constant(Buffer.from(text))
  return fc.tuple(oneOf(...places), oneOf(...HOSTILE_JSON)).map(([place, other]) => {
    const start = place.index
    return Buffer.from(text.slice(0, start) + other + text.slice(start + place[0].length))
  })
}
