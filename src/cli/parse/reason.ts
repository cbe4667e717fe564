import { UsageError } from '../../errors.ts'

const MOST_SIGNS = 500

/** Why something is done, in a person's own words. They may be several lines, as a shell script makes them. */
export function readReason(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined
  // oxlint-disable-next-line no-control-regex -- they are what it looks for
  const hasOddSigns = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]/.test(typed) || !typed.isWellFormed()
  if (!hasOddSigns && typed.length <= MOST_SIGNS) return typed
  throw new UsageError(
    hasOddSigns ? '--reason holds a control character' : `--reason is longer than ${MOST_SIGNS} signs`,
    { code: 'bad_value', outcome: 'none', hint: 'A sentence is enough; name a ticket for the rest' },
  )
}
