import { isBlank, recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'

/** In which line each row of a block begins. Slow: for the rows that are to be named. */
export const linesOfRows = (block: Block, hasQuotes: boolean): readonly number[] =>
  recordsOf(block, hasQuotes)
    .filter((record) => !isBlank(record))
    .map(({ startLine }) => startLine)
