import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const TEN = Array.from({ length: 51 }, () => 'a').join('.')

/** What people mistype in the fields of a request. */
const FIELDS: readonly Mistake[] = [
  'payment create --sandbox --token tok_visa --set [0]=1',
  'payment create --sandbox --token tok_visa --set a[b]=1',
  'payment create --sandbox --token tok_visa --set a..b=1',
  'payment create --sandbox --token tok_visa --set =1',
  'payment create --sandbox --token tok_visa --set constructor.a=1',
  `payment create --sandbox --token tok_visa --set ${TEN}=1`,
  'payment create --sandbox --token tok_visa --set order.lineItems[3].amount:=5',
  'payment create --sandbox --token tok_visa --set order',
  'payment create --sandbox --token tok_visa --set order:={bad',
  'payment create --sandbox --token tok_visa --amount 700 --currency EUR --order-id A-1 --set order.lineItems[0].amount=5 --set order.lineItems[0].itemId=x',
  'payment create --sandbox --token tok_visa --line-item Shoe',
  'payment create --sandbox --token tok_visa --line-item nam=Shoe,amount=100',
  'payment create --sandbox --token tok_visa --line-item __proto__=Shoe',
  'payment create --sandbox --token tok_visa --metadata __proto__=1',
  'payment create --sandbox --token tok_visa --metadata a=1 --metadata a=2',
  'payment create --sandbox --token tok_visa --metadata a',
  'payment create --sandbox --token tok_visa --metadata =a',
  ['payment create --sandbox --token tok_visa -d -', { stdin: '  ' }],
  ['payment create --sandbox --token tok_visa -d -', { stdin: '[1]' }],
  ['payment create --sandbox --token tok_visa -d -', { stdin: '{"__proto__":{"a":1}}' }],
  ['payment create --sandbox --token tok_visa -d -', { stdin: Buffer.from('{"a":"K\u00f6ln"}', 'latin1') }],
  ['payment create --sandbox --token - -d -', { stdin: '{}' }],
  'payment create --sandbox --token tok_visa -d @',
  'payment create --sandbox --token tok_visa -d @none.json',
  'payment create --sandbox --token tok_visa -d body.json',
  'payment create --sandbox --token tok_visa -d amount=1',
  'payment create --sandbox --token tok_visa -d "two words"',
  `payment create --sandbox --token tok_visa -d '{"order":{"orderId":"a"},"orderDetails":{}}' --currency EUR --order-id A-1`,
  `loyalty redeem --sandbox -d '{"type":"REFUND"}' --connection-id points-1 --customer-id c --order-id o --value 5`,
  `observability update rec-1 --sandbox -d '{"paymentId":"rec-2"}'`,
]

test('bodies', async () => {
  writeFileSync(join(bench.folder, 'body.json'), '{}')
  await expect(await transcriptOf(bench, FIELDS)).toMatchFileSnapshot('../../golden/errors/body.txt')
})

/** What contradicts itself, or what a command does not take. */
const SETTINGS: readonly Mistake[] = [
  'payment refund p1 --sandbox --dry-run --curl',
  'payment refund p1 --sandbox --once A --idempotency-key B',
  'payment refund p1 --sandbox --once ""',
  'payment refund p1 --sandbox --once "A\u200B"',
  `payment refund p1 --sandbox --once ${'x'.repeat(201)}`,
  'payment refund p1 --sandbox --idempotency-key "a b"',
  'payment refund p1 --sandbox --reason "a\u0007b"',
  `payment refund p1 --sandbox --reason ${'x'.repeat(5000)}`,
  'payment refund p1 --sandbox --amount 1 --amount 2',
  'payment capture p1 --sandbox --final --no-final',
  'ops list --sandbox --dry-run',
  'payment refund --order A-1 --once T-1 --curl --sandbox',
  "payment refund p1 --curl --sandbox --reason '4111111111111111'",
  'payment refund p1 --receipt --dry-run --sandbox',
]

test('settings', async () => {
  await expect(await transcriptOf(bench, SETTINGS)).toMatchFileSnapshot('../../golden/errors/settings.txt')
})
