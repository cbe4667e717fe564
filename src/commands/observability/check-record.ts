import { createExternalPayment } from '../../api/operations/observability.ts'
import type { CheckBody } from '../../rows/read/ndjson.ts'
import { faultsIn } from '../../client/calls/bad-id.ts'
import { checkBody } from '../../cli/request/validate.ts'
import { fieldOf } from '../../json/fields.ts'
import { isRecord } from '../../json/is-record.ts'
import { isStorable, UNSTORABLE } from '../../text/storable.ts'

/** Checks a record of NDJSON: its body and its IDs. */
export const checkRecord: CheckBody = (body) => {
  const checked = checkBody(createExternalPayment, body)
  const bad = faultsIn(body).map(([field, description]) => ({ path: `$.${field}`, description }))
  const unstorable = [...unstorableIn(body, '$')].map((path) => ({ path, description: UNSTORABLE }))
  return {
    ...checked,
    problems: [...checked.problems, ...bad, ...unstorable, ...otherMetadataProblems(body)],
  }
}

/** The paths of texts that no service can store. */
function* unstorableIn(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string' && !isStorable(value)) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!isStorable(name)) yield path
    yield* unstorableIn(inner, `${path}.${name}`)
  }
}

/** What the schema's parser doesn't see: it skips a key `__proto__`. */
const otherMetadataProblems = (body: unknown) => {
  const metadata = fieldOf(body, 'metadata')
  return isRecord(metadata) && Object.hasOwn(metadata, '')
    ? [{ path: '$.metadata', description: 'has an empty key' }]
    : isRecord(metadata) && Object.hasOwn(metadata, '__proto__') && !isPlain(metadata['__proto__'])
      ? [{ path: '$.metadata.__proto__', description: 'must be text or a whole number' }]
      : []
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value)
