import { UsageError } from '../../errors.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Draft } from '../command/draft.ts'
import { textFlag } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'

/** Refuses an argument together with the flag that replaces it, even if both name the same thing. */
export function refuseArgumentAndFlag({ spec, input }: CommandRun): void {
  for (const { name, lookup } of spec.args ?? []) {
    if (lookup === undefined || input.args[name] === undefined) continue
    if (textFlag(input, lookup.flag) === undefined) continue
    throw new UsageError(`Give ${name} or --${lookup.flag}, not both`, {
      code: 'two_sources',
      operation: spec.operation?.id,
    })
  }
}

/** Looks up the arguments that are given as flags. When nothing is sent, they stay unresolved and are listed instead. */
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

/** An argument that the service knows only as the value of a flag: an order in place of a payment's ID. */
export async function findOtherName(
  invocation: CommandRun,
): Promise<{ readonly flag: string; readonly typed: string } | undefined> {
  const { spec, input } = invocation
  for (const { name, lookup } of spec.args ?? []) {
    const typed = input.args[name]
    if (typed === undefined || lookup === undefined) continue
    if (await lookup.isKnown(invocation, typed).catch(() => false)) return { flag: lookup.flag, typed }
  }
  return undefined
}
