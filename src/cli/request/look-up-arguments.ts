import { UsageError } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Draft } from '../command/draft.ts'
import { textFlag } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'

/** An argument and the flag that stands for it name two things, or one of them twice: neither is weighed. */
export function refuseArgumentAndFlag({ spec, input }: CommandRun): void {
  for (const { name, lookup } of spec.args ?? []) {
    if (lookup === undefined || input.args[name] === undefined) continue
    if (textFlag(input, lookup.flag) === undefined) continue
    throw new UsageError(`${name} and --${lookup.flag} both say which one: give one of them`, {
      code: 'two_sources',
      operation: spec.operation?.id,
      outcome: 'none',
    })
  }
}

/** What flags name in the place of arguments. Where nothing is sent nothing is looked up either, and that is said. */
export async function lookUpArguments(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec, input, settings } = invocation
  let { params, unresolved } = draft
  for (const { param, lookup } of spec.args ?? []) {
    const value = lookup === undefined ? undefined : textFlag(input, lookup.flag)
    if (lookup === undefined || param === undefined || value === undefined) continue
    if (settings.mode === 'send') params = { ...params, [param]: await lookup.find(invocation, value) }
    else unresolved = { ...unresolved, [param]: `which one --${lookup.flag} ${safeText(value)} names` }
  }
  return { ...draft, params, ...(unresolved === undefined ? {} : { unresolved }) }
}
