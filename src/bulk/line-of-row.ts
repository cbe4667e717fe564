import { recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'

/** Where the row begins. Slow: for those that are to be named. Empty lines are no rows. */
export function lineOfRow(block: Block, index: number, hasQuotes: boolean): number {
  const records = recordsOf(block, hasQuotes).filter(({ bytes }) => bytes.toString('latin1').trim() !== '')
  return records[index]?.startLine ?? block.startLine
}
