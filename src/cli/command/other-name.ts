import type { CommandRun } from './spec.ts'

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
