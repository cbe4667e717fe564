import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

const LIMITS = ['--read-only', '--operations', 'payment.refund', '--max-amount', '500 EUR']
const limits = async () => {
  const shown: unknown = JSON.parse((await bench.runPay('profile show shop --json')).stdout)
  return shown
}

const LOOSENING = [
  ["--max-amount '1000 EUR'", 'up to 1000.00 EUR is allowed instead of 500.00 EUR'],
  ["--max-amount '5 USD'", 'up to 5.00 USD is allowed'],
  ['--clear max-amount', 'amounts are not limited'],
  ['--max-amount none', 'amounts are not limited'],
  ['--operations payment.refund,payment.capture', 'payment.capture is allowed'],
  ['--clear operations', 'every operation is allowed'],
  ['--no-read-only', 'writes are allowed'],
  ["--max-amount '1000 EUR' --test", 'up to 1000.00 EUR is allowed instead of 500.00 EUR'],
] as const

test.each(LOOSENING)(
  'loosening a limit of a live profile in a script needs --yes: %s',
  async (flags, words) => {
    await storeProfile(bench, { mode: 'live', words: LIMITS })
    const before = await limits()
    const refused = await bench.runPay(`profile set shop ${flags}`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `This loosens limits of LIVE profile shop: ${words}. It needs --yes`,
    )
    expect(await limits()).toEqual(before)
    expect(await bench.runPay(`profile set shop ${flags} --yes`)).toMatchObject({ exitCode: 0 })
    expect(await limits()).not.toEqual(before)
  },
)

test.each(LOOSENING)('loosening one on a terminal asks, and No changes nothing: %s', async (flags, words) => {
  await storeProfile(bench, { mode: 'live', words: LIMITS })
  const before = await limits()
  const sentence = `This loosens limits of LIVE profile shop: ${words}. Change them?`
  const no = await bench.runPay(`profile set shop ${flags}`, { answers: { [sentence]: false } })
  expect(no.exitCode).toBe(2)
  expect(await limits()).toEqual(before)
  const yes = await bench.runPay(`profile set shop ${flags}`, { answers: { [sentence]: true } })
  expect(yes.exitCode).toBe(0)
})

test.each(["--max-amount '100 EUR'", '--read-only', '--operations payment.refund'])(
  'tightening one does not ask: %s',
  async (flags) => {
    await storeProfile(bench, { mode: 'live', words: LIMITS })
    expect(await bench.runPay(`profile set shop ${flags}`)).toMatchObject({ exitCode: 0 })
  },
)

test('none stands alone', async () => {
  await storeProfile(bench, { mode: 'live', words: LIMITS })
  const refused = await bench.runPay("profile set shop --max-amount none --max-amount '5 EUR' --yes")
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Use --max-amount none alone'),
  })
})

test('adding a limit to a live profile and changing one of a test profile do not ask', async () => {
  await storeProfile(bench, { mode: 'live' })
  expect(await bench.runPay("profile set shop --max-amount '5 EUR'")).toMatchObject({ exitCode: 0 })
  await storeProfile(bench, { name: 'trial', mode: 'test', words: LIMITS })
  expect(await bench.runPay('profile set trial --clear max-amount')).toMatchObject({ exitCode: 0 })
})
