import { UsageError } from '../../errors.ts'

const MOST_SIGNS = 200

/**
 * A ticket as it counts. What cannot be seen makes no other ticket of it: spaces around it, how wide those inside are,
 * which of two ways an accented letter is encoded.
 */
export function readTicket(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined
  const ticket = typed
    .normalize('NFC')
    .replaceAll(/[\p{Zs}\t]+/gu, ' ')
    .trim()
  if (ticket === '') throw refused('--once takes the name of a ticket, and this is empty')
  // A format sign (zero width) cannot be seen either, but may belong to the script that it is written in.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(ticket))
    throw refused('The ticket of --once holds a line break, or a sign that cannot be seen')
  if (ticket.length > MOST_SIGNS) throw refused(`The ticket of --once is longer than ${MOST_SIGNS} signs`)
  return ticket
}

const refused = (message: string): UsageError =>
  new UsageError(message, {
    code: 'bad_value',
    outcome: 'none',
    hint: 'Give it as your ticket system names it, such as --once SUP-1042',
  })
