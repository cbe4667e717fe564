import { instrumentList } from '../../api/models/instrument.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import { listInstruments } from '../../api/operations/instrument.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { PayError, isInterruption } from '../../errors.ts'

/** The methods loaded during one run of a command. The API can't read a single method, only list a customer's. */
const cache = new WeakMap<Invocation, readonly Instrument[]>()

/** A customer's saved methods, listed once per run; none if the key may not list them or this is a dry run. */
export async function loadCustomerMethods(
  invocation: Invocation,
  customerId: string,
): Promise<readonly Instrument[]> {
  const cached = cache.get(invocation)
  if (cached !== undefined) return cached
  const methods = await fetchMethods(invocation, customerId)
  cache.set(invocation, methods)
  return methods
}

export const loadedMethods = (invocation: Invocation): readonly Instrument[] => cache.get(invocation) ?? []

async function fetchMethods(invocation: Invocation, customerId: string): Promise<readonly Instrument[]> {
  if (invocation.settings.mode !== 'send') return []
  try {
    const query = { customer_id: customerId }
    const answer = await invocation.call({ operation: listInstruments, params: {}, query })
    const methods = parseResponse(instrumentList, answer.json)?.data ?? []
    // Responses may omit the customer ID that the query named.
    return methods.map((method) => ({ customerId, ...method }))
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return []
  }
}
