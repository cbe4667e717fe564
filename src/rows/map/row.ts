import type { LeftOut } from '../left-out.ts'

/** Why a cell cannot become the value of its field. `kind` is the same for every cell with the same problem. */
export interface CellProblem {
  readonly kind: string
  readonly hint?: string
}

export type CellValue = string | number | boolean

export const isProblem = (read: CellValue | CellProblem): read is CellProblem => typeof read === 'object'

/** A row that can be sent. */
export interface PreparedRow {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
  /** Whether it has a value outside the API's set for its field, which the service may refuse. */
  readonly isDoubtful?: boolean
}

/** A problem with a cell, or with the whole row if it names no column. */
export interface RowProblem {
  readonly column: string | undefined
  /** The field, set only if it differs from the column name. */
  readonly field?: string | undefined
  readonly value: string | undefined
  readonly kind: string
  readonly hint: string | undefined
}

/** A row of the input: either what can be sent, or the reasons why it cannot be. */
export interface InputRow {
  /** The ID as in the input; known even if the row cannot be sent. */
  readonly id: string
  /** The order as in the input, if the schema has a field for one; empty if there is none. */
  readonly orderId?: string
  readonly prepared: PreparedRow | undefined
  readonly problems: readonly RowProblem[]
  /** The cells as read, for the rejects file. */
  readonly cells: readonly string[]
  /** Why the row was among the rejects that this input is made of. */
  readonly earlierReason?: string
  /** Why the mapping leaves the row out. Such a row is not prepared and has no problems. */
  readonly leftOut?: LeftOut
}
