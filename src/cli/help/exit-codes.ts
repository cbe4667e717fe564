import { EXIT } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'
import type { CommandSpec } from '../command/spec.ts'

/** The meaning of each exit code, on one line. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'a bug in pay',
  2: 'usage: bad flag or value, invalid body, something missing, not confirmed; nothing was sent',
  3: 'the service refused it',
  4: 'no key, or the key was refused',
  5: 'not found',
  6: 'its state forbids it, an earlier write is in doubt, or it was done before: no new effect',
  7: 'rate limited after all retries',
  8: 'accepted, but not finished yet',
  9: 'could not connect: nothing was sent',
  10: 'outcome unknown: it may have been done; pay ops resolve finds out',
  11: 'the service failed, and nothing was done',
  12: "blocked by the profile's own limits",
  13: 'declined or failed',
  14: 'a bulk run with rows that failed, or that ended early',
  130: 'interrupted, with nothing in doubt',
  143: 'terminated, with nothing in doubt',
}

/** The exit codes that a script has to handle: those of the operation, and those that the command adds. */
export function exitCodesOf(spec: CommandSpec): readonly ExitCode[] {
  const codes = new Set<ExitCode>([EXIT.done, EXIT.usage, ...(spec.exitCodes ?? [])])
  const { operation } = spec
  if (operation !== undefined) {
    const { rejected, auth, rateLimited, notConnected, serverFault } = EXIT
    for (const code of [rejected, auth, rateLimited, notConnected, serverFault]) codes.add(code)
    if (operation.path.includes('{')) codes.add(EXIT.notFound)
    if (operation.notFinished !== undefined) codes.add(EXIT.notFinished)
    if (operation.verdict === 'payment' || operation.verdict === 'refund') codes.add(EXIT.declined)
    if (operation.risk !== 'read')
      for (const code of [EXIT.conflict, EXIT.outcomeUnknown, EXIT.limit]) codes.add(code)
  }
  return [...codes].toSorted((one, other) => one - other)
}

/** Whether the command asks for confirmation on a live profile. */
export const asksOnLive = ({ operation, asksOnLive: asks }: CommandSpec): boolean =>
  asks === true || operation?.risk === 'money' || operation?.risk === 'destructive'
