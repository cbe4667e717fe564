import { SANDBOX } from '../../client/config/profile.ts'
import { paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'

/** Whether a word is safe to paste into a shell: anyone could have written the values in the ledger. */
const isShellSafe = (word: string): boolean => /^[\w][\w.:-]{0,63}$/.test(word)

/** Commands to run next, the most useful first. After `resolve` has failed, they start with inspecting the target. */
export function nextCommands(
  record: StoredRecord,
  { isResolved }: { readonly isResolved: boolean },
): readonly string[] {
  const { id, state } = record
  const inspect = inspectCommands(record)
  switch (state) {
    case 'sending':
      return []
    case 'in-doubt':
      return [...(isResolved ? [] : [`pay ops resolve ${id}`]), ...inspect, `pay ops abandon ${id}`]
    case 'confirmed':
    case 'rejected':
    case 'abandoned':
      return inspect
  }
}

/** Commands that show what the write acted on. */
export function inspectCommands(record: StoredRecord): readonly string[] {
  const { target, targetKind, profile } = record
  const selector =
    profile === null
      ? ''
      : profile === SANDBOX
        ? ' --sandbox'
        : isShellSafe(profile)
          ? ` --profile ${profile}`
          : ''
  const paymentId = paymentOf(record)
  if (paymentId !== null && isShellSafe(paymentId)) return [`pay${selector} payment get ${paymentId}`]
  return targetKind === 'order' && target !== null && isShellSafe(target)
    ? [`pay${selector} payment list --order-id ${target}`]
    : []
}
