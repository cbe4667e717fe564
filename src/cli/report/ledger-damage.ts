import type { Listing } from '../../ledger/listing.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Invocation } from '../command/invocation.ts'

/** Warns about damaged parts of the ledger. The rest stays usable. */
export async function warnAboutDamage(
  { warn, note }: Pick<Invocation, 'warn' | 'note'>,
  { damaged, cutShort }: Pick<Listing, 'damaged' | 'cutShort'>,
): Promise<void> {
  for (const { name, path } of damaged.files)
    await warn(
      safeText(
        `Warning: a record is damaged and blocks its target: ${path}. The write may have been done. Check with the service, then run: pay ops abandon ${name}`,
      ),
      'ids',
    )
  if (damaged.lines > 0)
    await warn(
      safeText(
        `Warning: ${pluralize(damaged.lines, 'line')} of the history ${damaged.lines === 1 ? 'is' : 'are'} damaged: ${damaged.histories.map(({ path }) => path).join(', ')}`,
      ),
      'ids',
    )
  if (cutShort > 0)
    await note(
      `Removed ${pluralize(cutShort, 'record')} that a crash had cut short before anything was sent.`,
    )
}

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
