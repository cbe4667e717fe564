import { SANDBOX } from '../../config/profile.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'

/** What is harmless in a shell line: what the ledger holds may have been written by anybody. */
const isPlain = (word: string): boolean => /^[\w][\w.:-]{0,63}$/.test(word)

/** Commands to type next, the most useful one first; a person looks once `resolve` has not found out. */
export function nextCommands(
  record: StoredRecord,
  { isResolved }: { readonly isResolved: boolean },
): readonly string[] {
  const { id, state } = record
  const look = inspectCommands(record)
  switch (state) {
    case 'sending':
      return []
    case 'in-doubt':
      return [...(isResolved ? [] : [`pay ops resolve ${id}`]), ...look, `pay ops abandon ${id}`]
    case 'confirmed':
    case 'rejected':
    case 'abandoned':
      return look
  }
}

/** How to see what was acted on. */
export function inspectCommands({
  target,
  targetKind,
  resource,
  operation,
  profile,
}: StoredRecord): readonly string[] {
  const selector =
    profile === null
      ? ''
      : profile === SANDBOX
        ? ' --sandbox'
        : isPlain(profile)
          ? ` --profile ${profile}`
          : ''
  const made = operation === 'payment.create' ? resource : null
  const paymentId = made ?? (targetKind === 'payment' ? target : null)
  if (paymentId !== null && isPlain(paymentId)) return [`pay${selector} payment get ${paymentId}`]
  return targetKind === 'order' && target !== null && isPlain(target)
    ? [`pay${selector} payment list --order-id ${target}`]
    : []
}
