import type { Listing } from '../../ledger/listing.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Invocation } from '../command/invocation.ts'

/** What of the ledger cannot be read is told of, and hides nothing of the rest. */
export async function warnAboutDamage(
  { warn, note }: Pick<Invocation, 'warn' | 'note'>,
  { damaged, cutShort }: Pick<Listing, 'damaged' | 'cutShort'>,
): Promise<void> {
  for (const { name, path } of damaged.files)
    await warn(
      safeText(
        `Warning: a record is damaged, and blocks its target: ${path}. That write may have been done. Look at the service, then: pay ops abandon ${name}`,
      ),
      'ids',
    )
  if (damaged.lines > 0)
    await warn(
      safeText(
        `Warning: ${counted(damaged.lines, 'line')} of the history ${damaged.lines === 1 ? 'is' : 'are'} damaged: ${damaged.histories.map(({ path }) => path).join(', ')}`,
      ),
      'ids',
    )
  if (cutShort > 0)
    await note(`A crash had cut short ${counted(cutShort, 'record')} before anything was sent: cleared away.`)
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
