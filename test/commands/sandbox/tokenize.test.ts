import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const savedMethod = async () =>
  (await bench.runPay('--sandbox instrument vault tok_visa --customer-id ada -o id')).stdout.trim()

describe('tokenize', () => {
  test.each([
    ['PAYPAL', 'AUTHORIZED'],
    ['IDEAL', 'PENDING'],
  ])('turns %s into a token, whose payment is %s', async (method, status) => {
    const { stdout } = await bench.runPay(['sandbox', 'tokenize', '--method', method, '-o', 'id'])
    const made = await bench.runPay(
      `--sandbox payment create --token ${stdout.trim()} --order-id o --currency EUR --amount 5 --json`,
    )
    expect(JSON.parse(made.stdout)).toMatchObject({ status, paymentMethod: { paymentMethodType: method } })
  })

  test('turns a saved method into a token, also from stdin', async () => {
    const token = await savedMethod()
    const typed = await bench.runPay(['sandbox', 'tokenize', '--saved-method', token, '-o', 'id'])
    const piped = await bench.runPay('sandbox tokenize --saved-method - -o id', { stdin: token })
    for (const { exitCode, stdout, stderr } of [typed, piped]) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^[\w-]{36}\n$/) })
      expect(stdout + stderr).not.toContain(token)
    }
  })

  test.each(['nothing-saved', 'tok_visa'])('refuses the saved method %s', async (token) => {
    const result = await bench.runPay(['sandbox', 'tokenize', '--saved-method', token])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('pay instrument list')
    expect(result.stderr).not.toContain(token)
  })

  test('names the methods that it takes', async () => {
    const result = await bench.runPay('sandbox tokenize --method PAYPALL')
    expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('PAYPAL') })
  })

  test.each([
    '--card 4111111111111111 --method PAYPAL',
    '--method PAYPAL --saved-method x',
    '--saved-method - --client-token -',
  ])('refuses %s together', async (flags) => {
    const result = await bench.runPay(`sandbox tokenize ${flags}`)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('cannot be used together')
  })
})
