/** Works on a folder in a separate process, as its arguments say; run by `processes.test.ts`. */
import { randomInt } from 'node:crypto'
import { writeSync } from 'node:fs'
import { PayError } from '../../../src/errors.ts'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'

const [folder = '', task = '', target = ''] = process.argv.slice(2)
const sandbox = await openSandbox({
  folder,
  now: () => new Date(),
  random: () => randomInt(2 ** 32) / 2 ** 32,
})

async function post(path: string, body: object, key: string): Promise<string> {
  const headers = { 'x-api-key': 'sandbox_all', 'x-idempotency-key': key }
  const { status, body: answer } = await sandbox.handle({
    method: 'POST',
    url: path,
    headers,
    body: JSON.stringify(body),
  })
  return `${status} ${/"id":"(\w+)"/.exec(answer)?.[1] ?? ''} ${key}\n`
}

const create = (key: string) =>
  post('/payments', { paymentMethodToken: 'tok_visa', orderId: key, currencyCode: 'EUR', amount: 1000 }, key)

switch (task) {
  case 'create':
    for (let count = 0; count < 40; count += 1) writeSync(1, await create(`create-${count}`))
    break
  case 'refund':
    for (let count = 0; count < 40; count += 1)
      writeSync(1, await post(`/payments/${target}/refund`, { amount: 30 }, `${process.pid}-${count}`))
    break
  case 'until-refused':
    for (let count = 0; ; count += 1) {
      const line = await create(`endless-${count}`).catch((error: unknown) => error)
      if (typeof line !== 'string') {
        writeSync(1, `refused ${line instanceof PayError ? line.code : String(line)}\n`)
        break
      }
      writeSync(1, line)
    }
    break
  case 'until-killed':
    for (let count = 0; ; count += 1) writeSync(1, await create(`endless-${count}`))
}
await sandbox.close()
