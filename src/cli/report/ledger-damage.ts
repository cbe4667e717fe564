import type { Listing } from '../../client/ledger/listing.ts'
import { safeText } from '../../output/safe-text.ts'
import type { Invocation } from '../command/invocation.ts'
import { shellWord } from '../../files/shell.ts'

/** Warns about damaged parts of the ledger. The rest stays usable. */
export async function warnAboutDamage(
  { warn }: Pick<Invocation, 'warn'>,
  { damage }: Pick<Listing, 'damage'>,
): Promise<void> {
  for (const { id } of damage.records)
    await warn(
      safeText(
        `Warning: the record ${id} is damaged and may block other writes. Its write may have been done. Check with the service, then run: pay ops abandon ${shellWord(id)}`,
      ),
      'ids',
    )
  if (damage.isMiscounted)
    await warn(
      'Warning: the ledger has lost a record of an open write, and blocks every write. Check your latest payments with the service, then run: pay ops abandon --damaged-ledger',
    )
}
