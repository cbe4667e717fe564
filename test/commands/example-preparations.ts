/** Shell lines that prepare the state an example needs, by its command. */
const NEW_PAYMENT =
  "ID=$(pay payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 --customer-id customer-1 -q -o id)"
const ESTIMATED =
  "ID=$(pay payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 --authorization-type ESTIMATED -q -o id)"
const CAPTURED = `${NEW_PAYMENT}; pay payment capture "$ID" -q > /dev/null`
const REFUNDED = `${CAPTURED}; pay payment refund "$ID" --amount 200 -q > /dev/null; pay sandbox clock advance 2h -q > /dev/null`
const SAVED = 'TOKEN=$(pay instrument vault tok_visa --customer-id customer-1 -q -o id)'
const SESSION = 'CLIENT_TOKEN=$(pay session create --order-id A-1 --amount 1000 --currency EUR -q -o id)'
const WAITING = [
  'payment=$(pay payment create --token tok_3ds --amount 1000 --currency EUR --order-id A-1 -q -o json)',
  'ID=$(printf %s "$payment" | "$NODE" -p \'JSON.parse(require("fs").readFileSync(0)).id\')',
  'CLIENT_TOKEN=$(printf %s "$payment" | "$NODE" -p \'JSON.parse(require("fs").readFileSync(0)).requiredAction.clientToken\')',
].join('\n')
const PENDING_MANUAL =
  'ID=$(pay payment create --token tok_declined --amount 1000 --currency EUR --order-id A-1 -q -o id) || true'
const IN_DOUBT = [
  CAPTURED,
  "pay sandbox faults add --on 'POST /payments/*/refund' --do drop-after -q > /dev/null",
  'pay payment refund "$ID" --amount 200 --max-retries 0 -q 2> /dev/null || true',
  'pay sandbox faults clear -q > /dev/null',
  'OPERATION=$(pay ops list --state in-doubt -o id)',
].join('\n')
const PLANNED = [
  "pay payment create --token tok_autocapture --amount '49.90 EUR' --order-id A-7 -q -o id > /dev/null",
  "printf 'orderId,amount\\nA-7,all\\n' > refunds.csv",
  'pay --sandbox batch plan refund refunds.csv -q > /dev/null',
].join('\n')
const APPLIED = [
  PLANNED,
  'pay --sandbox batch apply refunds.plan.ndjson -q > /dev/null',
  'pay sandbox clock advance 1d -q > /dev/null',
].join('\n')
const SHOP =
  'printf key-0123456789abcdef | pay profile add shop --base-url https://api.example.com --live --api-key-stdin -q > /dev/null'

export const BEFORE: Readonly<Record<string, string>> = {
  'payment get': NEW_PAYMENT,
  'payment capture': NEW_PAYMENT,
  'payment cancel': NEW_PAYMENT,
  'payment refund': CAPTURED,
  'payment wait': REFUNDED,
  'payment explain': NEW_PAYMENT,
  'payment adjust': ESTIMATED,
  'payment authorize': PENDING_MANUAL,
  'payment resume': WAITING,
  'sandbox challenge': WAITING,
  find: "pay payment create --token tok_visa --amount '49.90 EUR' --order-id A-1042 --email ada@example.com -q > /dev/null",
  'session get': SESSION,
  'session update': SESSION,
  'sandbox tokenize': SESSION,
  'sandbox open': NEW_PAYMENT,
  'instrument default': SAVED,
  'instrument delete': SAVED,
  'instrument vault': 'TOKEN=tok_visa',
  'observability get':
    "pay observability push --payment-id ext-1 --amount '25.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD -q > /dev/null",
  'observability update':
    "pay observability push --payment-id ext-1 --amount '25.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD -q > /dev/null",
  'ledger join': SHOP,
  'ledger status': SHOP,
  'batch template': "printf 'Order,Total\\nA-7,5.00 EUR\\n' > orders.csv",
  'batch plan': `${PLANNED}\nprintf 'Order,Total\\nA-7,5.00\\n' > orders.csv`,
  'batch show': PLANNED,
  'batch approve': `${PLANNED}\nmkdir ~/.ssh && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519`,
  'batch apply': PLANNED,
  'batch verify': APPLIED,
  'batch list': PLANNED,
  'ops list': NEW_PAYMENT,
  'ops verify': NEW_PAYMENT,
  'ops show': IN_DOUBT,
  'ops resolve': IN_DOUBT,
  'ops abandon': IN_DOUBT,
  'profile show': SHOP,
  'profile use': SHOP,
  'profile set': SHOP,
  'profile rename': SHOP,
  'profile remove': SHOP,
}
