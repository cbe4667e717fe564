import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

test.each([
  ['paymnt get p1', '"pay payment"'],
  ['payment gte p1', '"pay payment get"'],
  ['refund p1', '"pay payment refund" or "pay loyalty refund"'],
  ['refunds', '"pay payment refund" or "pay loyalty refund"'],
  ['capture p1', '"pay payment capture"'],
  ['captrue p1', '"pay payment capture"'],
  ['ls', '"pay payment list" or "pay observability list" or "pay instrument list"'],
  ['payment ls', '"pay payment list"'],
  ['payment LIST', '"pay payment list"'],
  ['payment refunds', '"pay payment refund"'],
  ['payment void p1', '"pay payment cancel"'],
  ['profile rm shop', '"pay profile remove"'],
  ['instrument rm x', '"pay instrument delete"'],
  ['payment redeem', '"pay loyalty redeem"'],
  ['pay list', '"pay payment"'],
  ['payment ref p1', '"pay payment refund"'],
  ['auth p1', '"pay profile add"'],
  ['cap p1', '"pay payment capture"'],
  ['payment get p1 --json --max 3', '--max-retries'],
  ['whoami --sandbox -o js', 'json'],
  ['payment smoke', '"pay smoke"'],
  ['help refunds', '"pay help payment refund" or "pay help loyalty refund"'],
  ['help ls', '"pay help payment list" or "pay help observability list" or "pay help instrument list"'],
  ['payment get p1 --quey a', '--query'],
  ['--sandbx payment get p1', '--sandbox'],
  ['whoami --sandbox -o jsn', 'json'],
  ['whoami --sandbox --color alwys', 'always'],
  ['whoami -p shpo', 'shop'],
  ['profile show shpo', 'shop'],
  ['profile set shop --clear max-amout', 'max-amount'],
  ['profile set shop --operations payment.refnd', 'payment.refund'],
  [
    '--sandbox payment create --token tok_visa --amount 1 --currency EUR --order-id A --payment-type ECOMERCE',
    'ECOMMERCE',
  ],
  ['--sandbox payment create --token tok_visa --amount 1 --currency EURO', 'EUR'],
  ['--sandbox session create --set customer.emailAdress=a', '"emailAddress"'],
  ['--sandbox session create --set order.lineItems[0].amout:=1', '"amount"'],
  ['--sandbox session update --client-token x --unset custmerId', '"customerId"'],
  ['--sandbox api PTCH /payments', 'PATCH'],
  ['--sandbox observability import rows.csv --map amont=total', '"amount"'],
  ['--sandbox observability import rows.csv --map paymentId=idd', '"id"'],
  ['--sandbox observability import rows.csv --const proccessor.name=A', '"processor.name"'],
  ['--sandbox observability import rows.csv --on-exists updte', 'update'],
  ['--sandbox payment list --status SETLED', 'SETTLED'],
  ['--sandbox observability list --status setled', 'SETTLED'],
  ['ops list --state in-dobt', 'in-doubt'],
  ['ops list --operation payment.refnd', 'payment.refund'],
  ['sandbox faults ad', 'add'],
  ['sandbox faults add --on /payments --do drop-aftr', 'drop-after'],
  ['sandbox start --idempotency rejct', 'reject'],
  ['sandbox challenge x --outcome pas', 'pass'],
  ['schema payment.refnd', 'payment.refund'],
  ['help idempotncy', '"pay help idempotency"'],
  ['completion bsh', 'bash'],
])('pay %s: did you mean %s?', async (words, meant) => {
  writeFileSync(join(bench.folder, 'rows.csv'), 'id,total\n1,2\n')
  await bench.runPay('profile add shop --base-url https://api.example.com --test --api-key-stdin -q', {
    stdin: 'key-0123456789abcdef',
  })
  const refused = await bench.runPay(words)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(refused.stderr.replaceAll(/\s+/g, ' ').toLowerCase()).toContain(
    `did you mean ${meant.toLowerCase()}?`,
  )
})
