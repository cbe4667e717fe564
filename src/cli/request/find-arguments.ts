import { UsageError } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Draft } from '../command/draft.ts'
import { textFlag } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'

/** An argument and the flag that stands for it name two things, or one of them twice: neither is weighed. */
export function refuseTwoWays({ spec, input }: CommandRun): void {
  for (const { name, foundBy } of spec.args ?? []) {
    if (foundBy === undefined || input.args[name] === undefined) continue
    if (textFlag(input, foundBy.flag) === undefined) continue
    throw new UsageError(`${name} and --${foundBy.flag} both say which one: give one of them`, {
      code: 'two_sources',
      operation: spec.operation?.id,
      outcome: 'none',
    })
  }
}

/** What flags name in the place of arguments. Where nothing is sent nothing is looked up either, and that is said. */
export async function findArguments(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec, input, settings } = invocation
  let { params, unfound } = draft
  for (const { param, foundBy } of spec.args ?? []) {
    const value = foundBy === undefined ? undefined : textFlag(input, foundBy.flag)
    if (foundBy === undefined || param === undefined || value === undefined) continue
    if (settings.mode === 'send') params = { ...params, [param]: await foundBy.find(invocation, value) }
    else unfound = { ...unfound, [param]: `which one --${foundBy.flag} ${safeText(value)} names` }
  }
  return { ...draft, params, ...(unfound === undefined ? {} : { unfound }) }
}
