import type { CommandInput } from './input.ts'
import { readPlainly } from './plain-input.ts'
import type { CommandSpec } from './spec.ts'

/** Reads the words after noun and verb. Nothing is abbreviated; a flag given twice is refused unless it repeats. */
export async function parseInput(spec: CommandSpec, words: readonly string[]): Promise<CommandInput> {
  const plain = readPlainly(spec, words)
  if (plain !== undefined) return plain
  const { readStrictly } = await import('./strict-input.ts')
  return readStrictly(spec, words)
}
