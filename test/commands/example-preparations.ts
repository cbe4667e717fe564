/** Runs a command in the sandbox, with that on its stdin, and returns what it prints. */
export type Pay = (line: string, stdin?: string) => Promise<string>
type Variables = Readonly<Record<string, string>>
/** Prepares the state that an example needs, and returns the variables it names. Writes files with `write`. */
type Preparation = (pay: Pay, write: (name: string, text: string) => void) => Promise<Variables>

const CREATE = "payment create --amount '10.00 EUR' --order-id A-1 -q -o id"
const newPayment: Preparation = async (pay) => ({
  ID: await pay(`${CREATE} --token tok_visa --customer-id customer-1`),
})
const captured: Preparation = async (pay, write) => {
  const { ID = '' } = await newPayment(pay, write)
  await pay(`payment capture ${ID} -q`)
  return { ID }
}
const refunded: Preparation = async (pay, write) => {
  const { ID = '' } = await captured(pay, write)
  await pay(`payment refund ${ID} --amount 200 -q`)
  await pay('sandbox clock advance 2h -q')
  return { ID }
}
const saved: Preparation = async (pay) => ({
  TOKEN: await pay('instrument vault tok_visa --customer-id customer-1 -q -o id'),
})
const session: Preparation = async (pay) => ({
  CLIENT_TOKEN: await pay('session create --order-id A-1 --amount 1000 --currency EUR -q -o id'),
})
const waiting: Preparation = async (pay) => {
  const made: { readonly id: string; readonly requiredAction: { readonly clientToken: string } } = JSON.parse(
    await pay('payment create --token tok_3ds --amount 1000 --currency EUR --order-id A-1 -q -o json'),
  )
  return { ID: made.id, CLIENT_TOKEN: made.requiredAction.clientToken }
}
const inDoubt: Preparation = async (pay, write) => {
  const { ID = '' } = await captured(pay, write)
  await pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after -q")
  await pay(`payment refund ${ID} --amount 200 --max-retries 0 -q`)
  await pay('sandbox faults clear -q')
  return { ID, OPERATION: await pay('ops list --state in-doubt -o id') }
}
const planned: Preparation = async (pay, write) => {
  await pay("payment create --token tok_autocapture --amount '49.90 EUR' --order-id A-7 -q -o id")
  write('refunds.csv', 'orderId,amount\nA-7,all\n')
  await pay('batch plan refund refunds.csv -q')
  return {}
}
const applied: Preparation = async (pay, write) => {
  await planned(pay, write)
  await pay('batch apply refunds.plan.ndjson -q')
  await pay('sandbox clock advance 1d -q')
  return {}
}
const pushed: Preparation = async (pay) => {
  await pay(
    "observability push --payment-id ext-1 --amount '25.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD -q",
  )
  return {}
}
const shop: Preparation = async (pay) => {
  await pay(
    'profile add shop --base-url https://api.example.com --live --api-key-stdin -q',
    'key-0123456789abcdef',
  )
  return {}
}
/** A file with two columns and one row. */
const withOrders: Preparation = async (_, write) => {
  write('orders.csv', 'Order,Total\nA-7,5.00 EUR\n')
  return {}
}

/** What examples need, by their command. */
export const BEFORE: Readonly<Record<string, Preparation>> = {
  'payment get': newPayment,
  'payment capture': newPayment,
  'payment cancel': newPayment,
  'payment refund': captured,
  'payment wait': refunded,
  'payment explain': newPayment,
  'payment adjust': async (pay) => ({
    ID: await pay(`${CREATE} --token tok_visa --authorization-type ESTIMATED`),
  }),
  'payment authorize': async (pay) => ({ ID: await pay(`${CREATE} --token tok_declined`) }),
  'payment resume': waiting,
  'sandbox challenge': waiting,
  find: async (pay) => {
    const id = await pay(
      "payment create --token tok_refund_fails --amount '7.00 EUR' --order-id A-1044 -q -o id",
    )
    await pay(`payment capture ${id} -q`)
    await pay(`payment refund ${id} -q`)
    await pay('sandbox clock advance 61m -q')
    await pay(
      "payment create --token tok_visa --amount '49.90 EUR' --order-id A-1042 --email ada@example.com -q",
    )
    await pay(
      "payment create --token tok_declined --amount '5.00 EUR' --order-id A-1043 --billing-address firstName=Emma,lastName=Moreau -q",
    )
    return {}
  },
  'session get': session,
  'session update': session,
  'sandbox tokenize': session,
  'sandbox open': newPayment,
  'instrument default': saved,
  'instrument delete': saved,
  'instrument vault': async () => ({ TOKEN: 'tok_visa' }),
  'observability get': pushed,
  'observability update': pushed,
  reconcile: async (pay, write) => {
    await pay("payment create --token tok_autocapture --amount '10.00 EUR' --order-id A-1 -q")
    write('orders.csv', 'Order,Total\nA-1,10.00\n')
    const columns = 'Type,Source,Created (UTC),Customer Facing Amount,Customer Facing Currency'
    write('balance.csv', `${columns}\npayout,po_1,2026-01-31 00:00,,\n`)
    return {}
  },
  'ledger join': shop,
  'ledger status': shop,
  'ledger limit': shop,
  'observability split': async (_, write) => {
    write('orders.yaml', 'map: { paymentId: id, amount: total }\nconst: { processor.name: ACME }\n')
    return {}
  },
  'batch template': withOrders,
  'batch plan': async (pay, write) => {
    await planned(pay, write)
    write('orders.csv', 'Order,Total\nA-7,5.00\n')
    return {}
  },
  'batch show': planned,
  'batch approve': planned,
  'batch apply': planned,
  'batch verify': applied,
  'batch list': planned,
  'ops list': newPayment,
  'ops verify': newPayment,
  'ops show': inDoubt,
  'ops resolve': inDoubt,
  'ops abandon': inDoubt,
  'profile show': shop,
  'profile use': shop,
  'profile set': shop,
  'profile rename': shop,
  'profile remove': shop,
}
