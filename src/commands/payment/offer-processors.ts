import type { Draft } from '../../cli/command/draft.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { Offer } from '../../cli/command/flags.ts'
import { formatField } from '../../views/format-fields.ts'
import { newestPayments } from '../offer-payments.ts'

interface Account {
  readonly name: string
  readonly merchantId: string
}

/** Accounts with processors as recent payments name them, of the one that is named already: no operation lists them. */
export async function offerProcessors(invocation: Invocation, draft: Draft): Promise<Offer | undefined> {
  const payments = (await newestPayments(invocation, { limit: '100' })) ?? []
  const named = fieldAt(draft.body, ['processor', 'name'])
  const isAsked = (name: string) => typeof named !== 'string' || named === name
  const accounts = new Map<string, Account>()
  for (const { processor } of payments) {
    const { name, processorMerchantId: merchantId } = processor ?? {}
    if (name !== undefined && merchantId !== undefined && isAsked(name))
      accounts.set(`${merchantId} ${name}`, { name, merchantId })
  }
  if (accounts.size === 0) return undefined
  return {
    choices: [...accounts].map(([value, { name, merchantId }]) => ({
      value,
      text: `${formatField(merchantId)}  ${formatField(name)}`,
      aliases: [merchantId, name],
    })),
    freeText: { what: 'another merchant id' },
    // The name too: several processors may share the merchant id.
    flagsOf: (answer) => {
      const account = accounts.get(answer)
      return {
        'processor-merchant-id': account?.merchantId ?? answer,
        ...(account === undefined ? {} : { processor: account.name }),
      }
    },
  }
}
