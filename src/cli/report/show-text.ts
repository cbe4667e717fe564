import type { Pager } from '../command/context.ts'
import type { Result } from '../command/result.ts'
import { isMachine } from '../command/settings.ts'
import type { CommandRun } from '../command/spec.ts'
import { isOn } from '../parse/settings.ts'

/** Prints the text of a result on stdout: through the pager if it is a list that is taller than the terminal. */
export async function showText(run: CommandRun, result: Result, text: string): Promise<void> {
  const { context } = run
  const pager = result.isList === true ? pagerFor(run, text) : undefined
  if (pager === undefined || !(await context.program.page(text, pager))) await context.stdout.write(text)
}

function pagerFor({ context, settings }: CommandRun, text: string): Pager | undefined {
  const { env, stdout } = context
  const { isTTY, rows } = stdout
  if (!isTTY || !rows || isMachine(settings.format) || settings.query !== undefined) return undefined
  if (!settings.mayPage || settings.neverAsks || context.isDesk === true) return undefined
  if (isOn(env['CI']) || env['TERM'] === 'dumb') return undefined
  const command = (env['PAGER'] ?? 'less').trim()
  // The prompt of the shell takes one more line.
  if (command === '' || command === 'cat' || text.split('\n').length <= rows) return undefined
  // As git does: leave at once if the text fits, keep colours and what was shown.
  return { command, env: { ...env, LESS: env['LESS'] ?? 'FRX' } }
}
