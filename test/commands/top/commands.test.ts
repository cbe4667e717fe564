import { describe, expect, test } from 'vitest'
import { requestSchema } from '../../../src/api/schemas/operation-schemas.ts'
import { OPERATIONS } from '../../../src/api/table.ts'
import { allCommands } from '../../../src/commands/top/commands.ts'
import type { CommandDescription } from '../../../src/cli/help/describe-command.ts'
import { TREE } from '../../../src/commands/tree.ts'
import { EXIT } from '../../../src/errors.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const SPECS = await allCommands(TREE)
const NAMES = SPECS.map(({ path }) => path.join(' '))

async function described(): Promise<readonly CommandDescription[]> {
  const { exitCode, stdout, stderr } = await bench.runPay('commands -o json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { data }: { data: readonly CommandDescription[] } = JSON.parse(stdout)
  return data
}
const one = async (name: string): Promise<CommandDescription | undefined> =>
  (await described()).find(({ command }) => command === name)

describe('pay commands -o json', () => {
  test('lists every command of the tree once', async () => {
    expect((await described()).map(({ command }) => command)).toEqual(NAMES)
    expect(new Set(NAMES).size).toBe(NAMES.length)
  })

  test('describes a refund completely', async () => {
    const refund = await one('payment refund')
    expect(refund).toMatchObject({
      usage: 'pay payment refund (ID | --order …) [options]',
      risk: 'money',
      confirmsOnLive: true,
      effect: expect.stringContaining("can't undo this"),
      operation: { id: 'payment.refund', method: 'POST', takesIdempotencyKey: true },
      arguments: [{ name: 'ID', required: false }],
      related: expect.arrayContaining(['payment explain']),
    })
    expect(refund?.flags.find(({ flag }) => flag === '--amount')).toMatchObject({
      type: 'amount',
      value: 'AMOUNT',
      required: false,
      field: 'amount',
    })
    expect(refund?.exitCodes.map(({ code }) => code)).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  })

  test.each([
    ['payment adjust', '--amount'],
    ['payment authorize', '--processor-merchant-id'],
    ['session get', '--client-token'],
    ['observability push', '--payment-id'],
    ['observability push', '--processor'],
    ['loyalty redeem', '--value'],
    ['instrument vault', '--customer-id'],
  ])('pay %s requires %s', async (name, flag) => {
    const found = (await one(name))?.flags.find((facts) => facts.flag === flag)
    expect(found).toMatchObject({ required: true })
  })

  test.each([
    ['payment create', '--order-id'],
    ['observability update', '--processor'],
    ['payment capture', '--final'],
  ])('pay %s does not require %s', async (name, flag) => {
    const found = (await one(name))?.flags.find((facts) => facts.flag === flag)
    expect(found).toMatchObject({ required: false })
  })

  test('has the values of closed sets, negated flags and aliases', async () => {
    const push = await one('observability push')
    expect(push?.aliases).toEqual(['obs push'])
    expect(push?.flags.find(({ flag }) => flag === '--payment-type')?.values).toContain('MOTO')
    const capture = await one('payment capture')
    expect(capture?.flags.find(({ flag }) => flag === '--final')).toMatchObject({ negation: '--no-final' })
  })

  test('a command without a body has no body flags', async () => {
    expect((await one('payment get'))?.flags.map(({ flag }) => flag)).toEqual(['--order'])
    expect((await one('payment refund'))?.flags.map(({ flag }) => flag)).toContain('--data')
  })

  test('lists global options once, with their environment variables', async () => {
    const { stdout } = await bench.runPay('commands -o json')
    const { globalFlags }: { globalFlags: readonly unknown[] } = JSON.parse(stdout)
    expect(globalFlags).toContainEqual(
      expect.objectContaining({ flag: '--output', short: '-o', environment: ['PAY_OUTPUT'] }),
    )
  })
})

test('pay commands prints a table that fits the terminal', async () => {
  const env = { NO_COLOR: '1' }
  const wide = await bench.runPay('commands', { tty: true, columns: 160, env })
  expect(wide.stdout).toMatch(/^payment refund +money +asks +Refund/m)
  const narrow = await bench.runPay('commands', { tty: true, columns: 60, env })
  expect(narrow.stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
  expect(narrow.stdout).toMatch(/^payment refund +money +Refund/m)
})

test('pay commands -o id prints the names', async () => {
  expect((await bench.runPay('commands -o id')).stdout.trim().split('\n')).toEqual(NAMES)
})

describe('command specs', () => {
  test.each(SPECS.map((spec) => [spec.path.join(' '), spec] as const))(
    'pay %s refers to existing commands',
    (_, { related }) => {
      expect((related ?? []).filter((name) => !NAMES.includes(name))).toEqual([])
    },
  )

  test.each(SPECS.map((spec) => [spec.path.join(' '), spec] as const))(
    'pay %s states its effect on money and data',
    (_, { operation, risk, effect, run }) => {
      const isWrite = (operation?.risk ?? risk ?? 'read') !== 'read'
      if (isWrite) expect(effect).toBeDefined()
      if (operation === undefined) expect(run).toBeDefined()
      else expect(risk, 'comes from the operation').toBeUndefined()
    },
  )

  test('list only known exit codes', () => {
    const known: readonly number[] = Object.values(EXIT)
    expect(SPECS.flatMap(({ exitCodes }) => exitCodes ?? []).filter((code) => !known.includes(code))).toEqual(
      [],
    )
  })

  /** Compares the choices of a flag with the closed set in its field's schema. */
  test.each(
    SPECS.flatMap(({ path, operation, flags }) =>
      Object.entries(flags ?? {}).flatMap(([name, { field, choices }]) =>
        operation !== undefined && field !== undefined && choices !== undefined
          ? [[`${path.join(' ')} --${name}`, operation.id, field, choices] as const]
          : [],
      ),
    ),
  )('pay %s has the values of the schema', (_, id, field, choices) => {
    const row = OPERATIONS.find((operation) => operation.id === id)
    if (row === undefined) throw new Error(`no operation ${id}`)
    const text = JSON.stringify(requestSchema(row, {}))
    expect(text).toContain(JSON.stringify(choices).slice(1, -1))
    expect(field).not.toBe('')
  })
})
