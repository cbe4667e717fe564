import type { Draft } from '../../cli/command/draft.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { formatField } from '../../views/format-fields.ts'
import { listNewestPayments } from './payment-choices.ts'

interface Account {
  readonly name: string
  readonly merchantId: string
}

/** Processor accounts found in recent payments, since no operation lists them; if the draft names a processor, only its accounts. */
export async function listProcessorChoices(invocation: Invocation, draft: Draft): Promise<Offer | undefined> {
  const payments = (await listNewestPayments(invocation, { limit: '100' })) ?? []
  const named = fieldAt(draft.body, ['processor', 'name'])
  const matchesDraft = (name: string) => typeof named !== 'string' || named === name
  const accounts = new Map<string, Account>()
  for (const { processor } of payments) {
    const { name, processorMerchantId: merchantId } = processor ?? {}
    if (name !== undefined && merchantId !== undefined && matchesDraft(name))
      accounts.set(`${merchantId} ${name}`, { name, merchantId })
  }
  if (accounts.size === 0) return undefined
  return {
    choices: [...accounts].map(([value, { name, merchantId }]) => ({
      value,
      text: `${formatField(merchantId)}  ${formatField(name)}`,
      aliases: [merchantId, name],
    })),
    freeText: { what: 'another merchant ID' },
    // Also sets the name, since several processors may share the merchant ID.
    flagsOf: (answer) => {
      const account = accounts.get(answer)
      return {
        'processor-merchant-id': account?.merchantId ?? answer,
        ...(account === undefined ? {} : { processor: account.name }),
      }
    },
  }
}
