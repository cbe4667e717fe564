import { createExternalPayment } from '../../api/operations/observability.ts'
import type { CheckBody } from '../../rows/read/ndjson.ts'
import { faultsIn } from '../../client/calls/bad-id.ts'
import { checkBody } from '../../cli/request/validate.ts'

/** Checks a record of NDJSON: its body and its IDs. */
export const checkRecord: CheckBody = (body) => {
  const checked = checkBody(createExternalPayment, body)
  const bad = faultsIn(body).map(([field, description]) => ({ path: `$.${field}`, description }))
  return { ...checked, problems: [...checked.problems, ...bad] }
}
