import type { PaymentSummary } from '../../api/models/payment.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { exponentOf } from '../../money/currencies.ts'
import { isBefore } from './times.ts'
import type { Period } from './times.ts'
import type { Meaning, Query } from './query.ts'

/** Whether a payment fits. `unknown`: a list's row doesn't tell, so the payment must be read in full. */
export type Fit = 'fits' | 'unknown' | 'no'

/** What a search looks at. */
export interface Facts extends Pick<
  PaymentSummary,
  'id' | 'date' | 'status' | 'orderId' | 'currencyCode' | 'amount' | 'customerId' | 'paymentMethod'
> {
  readonly email: string | undefined
  /** Whether the payment was read in full, so that what it lacks doesn't exist. */
  readonly isWhole: boolean
}

/** Whether a payment fits every word. */
export function fitOf({ words, period }: Query, facts: Facts): Fit {
  const fits = words
    .filter(({ meanings }) => meanings.length > 0)
    .map(({ meanings }) => best(meanings.map((meaning) => fitOfMeaning(meaning, facts))))
  return worst([...fits, isWithin(period, facts.date) ? 'fits' : 'no'])
}

const best = (fits: readonly Fit[]): Fit =>
  fits.includes('fits') ? 'fits' : fits.includes('unknown') ? 'unknown' : 'no'

const worst = (fits: readonly Fit[]): Fit =>
  fits.includes('no') ? 'no' : fits.includes('unknown') ? 'unknown' : 'fits'

function fitOfMeaning(meaning: Meaning, facts: Facts): Fit {
  switch (meaning.kind) {
    case 'id':
      return fitIf(facts.id === meaning.value)
    case 'order':
      return fitIf(facts.orderId === meaning.value)
    case 'customer':
      return fitIf(facts.customerId === meaning.value)
    case 'currency':
      return fitIf(facts.currencyCode === meaning.value)
    case 'status':
      return fitIf(meaning.values.some((value) => value === facts.status))
    case 'email':
      if (facts.email === undefined && !facts.isWhole) return 'unknown'
      return fitIf(isEmail(facts.email?.toLowerCase() ?? '', meaning.value.toLowerCase()))
    case 'last4':
      if (facts.paymentMethod === undefined && !facts.isWhole) return 'unknown'
      return fitIf(facts.paymentMethod?.paymentMethodData?.last4Digits === meaning.value)
    case 'amount':
      return fitIf(
        facts.amount === meaning.amountMinor &&
          (meaning.currencyCode === undefined || meaning.currencyCode === facts.currencyCode) &&
          (meaning.exponent === undefined || meaning.exponent === exponentOf(facts.currencyCode ?? '')),
      )
    case 'time':
      return fitIf(isWithin(meaning, facts.date))
  }
}

/** `ada@` is the beginning of an e-mail, which no filter of the service finds. */
export const isBeginning = (email: string): boolean => email.endsWith('@')

const isEmail = (email: string, wanted: string): boolean =>
  isBeginning(wanted) ? email.startsWith(wanted.slice(0, -1)) : email === wanted

const fitIf = (fits: boolean): Fit => (fits ? 'fits' : 'no')

function isWithin({ from, to }: Period, date: string | undefined): boolean {
  if (from === undefined && to === undefined) return true
  return parseTimeMs(date) !== undefined && !isBefore(date, from) && !isBefore(to, date)
}
