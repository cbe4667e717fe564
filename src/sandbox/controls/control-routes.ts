import type { Reply } from '../answer.ts'
import type { ServiceRequest } from '../gate.ts'
import type { Identifiers } from '../identifiers.ts'
import type { Controls } from '../sandbox.ts'

/** The controls over HTTP, below `/sandbox/`; undefined for what is not one of them. */
export function answerControl(
  _controls: Controls,
  _request: ServiceRequest,
  _ids: Identifiers,
): Promise<Reply> | undefined {
  return undefined
}
