import type { Rows } from '../read/open-rows.ts'

/** An open input, and how it is read. */
export type ImportSource = Rows
