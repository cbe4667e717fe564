import { FACTS } from '../facts.ts'
import type { OperationId } from '../facts.ts'
import type { OperationSchemas } from '../operation.ts'

/** The row of an operation: its facts and its schemas. */
export const withSchemas = <Id extends OperationId, const Schemas extends OperationSchemas>(
  id: Id,
  schemas: Schemas,
) => ({ id, ...FACTS[id], ...schemas })
