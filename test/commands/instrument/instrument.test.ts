import { expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const instrument = (words: string) => bench.runPay(`--sandbox instrument ${words}`)
const vault = async (customer = 'c-1') =>
  (await instrument(`vault tok_visa --customer-id ${customer} -o id`)).stdout.trim()

test('saves a method, lists it, makes it the default and deletes it', async () => {
  const token = await vault()
  expect((await instrument('list --customer-id c-1 -o id')).stdout.trim()).toBe(token)
  expect(JSON.parse((await instrument(`default ${token} --json`)).stdout)).toMatchObject({ default: true })
  expect(JSON.parse((await instrument(`delete ${token} --json`)).stdout)).toMatchObject({ deleted: true })
  expect((await instrument('list --customer-id c-1 -o id')).stdout).toBe('')
  for (const verb of ['default', 'delete'])
    expect(await instrument(`${verb} ${token}`)).toMatchObject({ exitCode: 5, stdout: '' })
})

test.each(['--json', '-o id', ''])(
  'reports a method as already deleted if the first response was lost, even with --quiet: %j',
  async (format) => {
    const deleted = await bench.runPay(`instrument delete pm-secret-0123 --quiet ${format}`, {
      env: SERVICE_ENV,
      service: (_, attempt) =>
        attempt === 1
          ? jsonAnswer(503, {})
          : jsonAnswer(400, { error: { errorId: 'InvalidPaymentInstrumentToken' } }),
    })
    expect(deleted).toMatchObject({ exitCode: 0 })
    expect(deleted.requests).toHaveLength(2)
    expect(deleted.stderr).toContain('Warning: The service had already deleted it')
    expect(deleted.stdout + deleted.stderr).not.toContain('pm-secret-0123')
    if (format === '--json') expect(JSON.parse(deleted.stdout)).toEqual({ deleted: true })
  },
)

test('sends --verify and prints the result', async () => {
  const result = await instrument('vault tok_visa --customer-id c-1 --verify --json')
  expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({ customerId: 'c-1', verify: true })
  expect(JSON.parse(result.stdout)).toHaveProperty('isVerified')
})

test('exits 5 for an unknown token without repeating it', async () => {
  for (const words of ['default pm-of-nobody', 'delete pm-of-nobody']) {
    const result = await instrument(words)
    expect(result).toMatchObject({ exitCode: 5, stdout: '' })
    expect(result.stderr).not.toContain('pm-of-nobody')
  }
})

test('reads the token from stdin', async () => {
  const token = await vault()
  const result = await bench.runPay('--sandbox instrument delete -', { stdin: `${token}\n` })
  expect(result).toMatchObject({ exitCode: 0 })
})

test('a vaulted token works only for its customer', async () => {
  const token = await vault()
  const pay = (customer: string) =>
    bench.runPay(
      `--sandbox payment create --token ${token} --amount 100 --currency EUR --order-id A-1 --customer-id ${customer}`,
    )
  expect(await pay('c-1')).toMatchObject({ exitCode: 0 })
  expect(await pay('c-2')).toMatchObject({ exitCode: 3, stdout: '' })
})

test.each([
  ['no customer to list', 'list', '--customer-id'],
  ['an empty customer to list', "list --customer-id ''", '--customer-id'],
  ['no customer to save for', 'vault tok_visa', '--customer-id'],
  ['no token', 'delete', 'TOKEN'],
  ['a second token', 'delete tok_a tok_b', 'argument'],
  ['a body for a command without one', 'delete tok_a --data {}', '--data'],
  ['an unknown field', 'vault tok_visa --customer-id c --set verfy:=true', 'verify'],
  ['text for a boolean', 'vault tok_visa --customer-id c --set verify=yes', 'true or false'],
])('refused before anything is sent: %s', async (_, words, message) => {
  const result = await instrument(words)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain(message)
})
