import type { StoredRecord } from './record.ts'

/** Decides which writes exclude each other. */

type Scoped = Pick<StoredRecord, 'baseUrl' | 'account' | 'targetKind' | 'target'>

/** What a write acts on, whichever account's it is; null if its request names nothing. */
export const nameOf = ({ baseUrl, targetKind, target }: Scoped): string | null =>
  target === null ? null : JSON.stringify([baseUrl, targetKind, target])

/**
 * The target of a write. Two open writes never have the same one. Payment IDs are unique within the service, so the API key
 * doesn't matter: an account may have several. Merchants choose other names, such as order IDs, so two accounts may use the
 * same one for different things.
 */
export function targetOf(record: Scoped): string | null {
  const name = nameOf(record)
  return name === null || record.targetKind === 'payment' ? name : `${name} ${record.account}`
}

/** The bounds between which, in the order of their bytes, the targets of all accounts with this name lie. */
export const rangeOf = (name: string): { readonly first: string; readonly beyond: string } => ({
  first: name,
  beyond: `${name}!`,
})

/** Whether both have the same name at the same service, without being known to be the same resource. */
export const isSameNameElsewhere = (one: Scoped, other: Scoped): boolean =>
  nameOf(one) !== null && nameOf(one) === nameOf(other) && targetOf(one) !== targetOf(other)
