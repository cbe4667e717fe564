import { readLine } from '../../../src/cli/parse/program.ts'
import { scanLine } from '../../../src/cli/parse/scan-line.ts'
import type { CommandSpec } from '../../../src/cli/command/spec.ts'
import { TREE } from '../../../src/commands/tree.ts'
import { UsageError } from '../../../src/errors.ts'

const LOADS = Object.values(TREE).flatMap((noun) => [
  ...(noun.load === undefined ? [] : [noun.load]),
  ...Object.values(noun.verbs ?? {}),
])
/** The spec of every command. */
export const SPECS: readonly CommandSpec[] = await Promise.all(
  LOADS.map(async (load) => (await load()).command),
)

export const wordsOf = (line: string): readonly string[] => (line === '' ? [] : line.split(' '))

/** Reads a command line: the command with its input, a help page or the version, or the error. */
export async function read(words: readonly string[]): Promise<unknown> {
  try {
    const line = await readLine(TREE, scanLine(words))
    switch (line.kind) {
      case 'command':
        return { command: line.spec.path.join(' '), ...line.input }
      case 'help':
        return { help: line.page.spec?.path.join(' ') ?? line.page.name(), isShort: line.isShort }
      case 'version':
        return 'version'
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { code, message, details } = error
    return { code, message, hint: details.hint, next: details.next }
  }
}
