import { describe, expect, test } from 'vitest'
import { TREE } from '../../../src/commands/tree.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe('global options', () => {
  test.each([
    '--sandbox --json payment list',
    'payment --sandbox --json list',
    'payment list --sandbox --json',
    '--sandbox payment --output json list',
    '-o json --sandbox payment list',
    '-ojson payment list --sandbox',
    '--output=json payment --profile=sandbox list',
    '-p sandbox payment -o json list',
    '--timeout 5s --max-retries 0 --json --sandbox payment list',
    'payment list --json -p sandbox -q -v',
  ])('may come before, between and after noun and verb: pay %s', async (line) => {
    const listed = await bench.runPay(line)
    expect(listed.exitCode).toBe(0)
    expect(JSON.parse(listed.stdout)).toEqual({ data: [] })
  })

  test('short switches may be joined: -qy', async () => {
    expect(await bench.runPay('--sandbox payment list -qy')).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test.each([
    'payment list --limit 3 --limit 4',
    '--profile a payment list --profile b',
    'payment list -o json -o yaml',
    'payment get p1 --timeout 1s --timeout 2s',
  ])('a value given twice is refused: pay %s', async (line) => {
    const refused = await bench.runPay(`--sandbox ${line}`)
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is given twice') })
    expect(refused.requests).toEqual([])
  })

  test.each([
    ['--json --output yaml payment list', 'contradict'],
    ['payment capture p1 --final --no-final', 'contradict'],
    ['payment list --limit 3 --all', 'not both'],
    ['payment list --dry-run --curl', 'choose one'],
  ])('options that contradict each other are refused: pay %s', async (line, words) => {
    const refused = await bench.runPay(`--sandbox ${line}`)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(words)
  })

  test.each(['--version', '-V', 'payment get --version', '--sandbox -V', 'payment --version'])(
    'print only the version: pay %s',
    async (line) => {
      expect(await bench.runPay(line)).toMatchObject({ exitCode: 0, stdout: '0.0.0-test\n', stderr: '' })
    },
  )
})

describe('suggestions', () => {
  test.each([
    ['paymnt list', 'pay payment'],
    ['pyament list', 'pay payment'],
    ['sesion create', 'pay session'],
    ['payment refnd p1', 'pay payment refund'],
    ['payment autorise p1', 'pay payment authorize'],
    ['obs psh', 'pay observability push'],
    ['profile ad', 'pay profile add'],
    ['Payment list', 'pay payment'],
  ])('name the intended command: pay %s', async (line, meant) => {
    const refused = await bench.runPay(`--sandbox ${line}`)
    expect(refused.exitCode).toBe(2)
    expect(refused).toMatchObject({ stderr: expect.stringContaining(`Did you mean "${meant}"?`), stdout: '' })
  })

  test.each([
    ['payment refund p1 --amnt 5', '--amount'],
    ['payment refund p1 --amout 5', '--amount'],
    ['payment refund p1 --reson x', '--reason'],
    ['payment create --tokn x', '--token'],
    ['payment create --orderid A', '--order-id'],
    ['payment create --order_id A', '--order-id'],
    ['payment list --custmer-id A', '--customer-id'],
    ['payment list --statuss A', '--status'],
    ['payment list --profil x', '--profile'],
    ['payment list --sandox', '--sandbox'],
    ['payment capture p1 --dryrun', '--dry-run'],
    ['payment capture p1 --no-finl', '--no-final'],
    ['payment capture p1 --noinput', '--no-input'],
    ['payment capture p1 --yess', '--yes'],
  ])('name the intended flag: pay %s', async (line, meant) => {
    const refused = await bench.runPay(line)
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`Did you mean ${meant}?`) })
  })

  test.each([
    ['payment list -o jsno', 'Did you mean json?'],
    ['payment list --output tabel', 'Did you mean table?'],
    ['session create --payment-type ECOMERCE', 'did you mean ECOMMERCE?'],
    ['session create --currency EURO --amount 1', 'did you mean EUR'],
    ['payment list --color alwys', 'auto, always or never'],
    ['profile set x --operations payment.refnd', 'Did you mean payment.refund?'],
    ['api GTE /payments', 'GET'],
    ['sandbox challenge tok --outcome passed', 'pass or fail'],
    ['sandbox clock shw', 'show'],
  ])('name the intended value, or all values: pay %s', async (line, words) => {
    const refused = await bench.runPay(`${line} --sandbox`)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(words)
    expect(refused.requests).toEqual([])
  })

  test.each(['pay', 'refunds', 'payments list', 'p list', 'payment ref p1', 'payment --amou 5 list'])(
    'do not accept abbreviations: pay %s is refused',
    async (line) => {
      expect(await bench.runPay(`--sandbox ${line}`)).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    },
  )

  test('point to the list of commands if no name is similar', async () => {
    const refused = await bench.runPay('frobnicate')
    expect(refused.stderr).toContain('There is no command "pay frobnicate"')
    expect(refused.stderr).toContain('pay --help')
  })

  test('name pay itself for a flag before any command', async () => {
    const refused = await bench.runPay('--frobnicate')
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('pay --help') })
    expect(refused.stderr).not.toContain('pay pay')
  })

  test('refuse an API key on the command line without repeating it', async () => {
    for (const line of [
      '--api-key=sk_live_0123456789 payment list',
      '--api-key sk_live_0123456789 payment list',
      'payment list --api-key sk_live_0123456789',
    ]) {
      const refused = await bench.runPay(line)
      expect(refused.exitCode).toBe(2)
      expect(refused.stdout + refused.stderr).not.toContain('sk_live_0123456789')
    }
  })
})

describe('arguments', () => {
  test('observability is also called obs', async () => {
    const full = await bench.runPay('observability push --help')
    expect(await bench.runPay('obs push --help')).toEqual(full)
  })

  test('after -- are arguments even if they look like flags', async () => {
    const answered = await bench.runPay('--sandbox payment get --json -- --help')
    expect(answered.exitCode).toBe(5)
    expect(answered.requests.map((request) => request.url)).toEqual([
      'http://sandbox.localhost/payments/--help',
      'http://sandbox.localhost/payments?order_id=--help',
    ])
  })

  test('after -- are not flags', async () => {
    const refused = await bench.runPay('--sandbox payment get p1 -- --json')
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Too many arguments') })
  })

  test.each(['payment get p1 p2', 'payment list p1', 'whoami me', 'instrument delete a b'])(
    'an extra argument is refused: pay %s',
    async (line) => {
      const refused = await bench.runPay(`--sandbox ${line}`)
      expect(refused).toMatchObject({ exitCode: 2, requests: [] })
      expect(refused.stderr).toContain('Too many arguments')
    },
  )

  test.each([
    'payment list --limit',
    'payment list --output',
    '--profile',
    '-p --sandbox payment list',
    '--sandbox payment refund p1 --reason --dry-run',
    '--sandbox payment refund p1 --reason -n',
    '--sandbox payment create --token --amount=5 --currency EUR',
    '--sandbox payment capture p1 --currency --no-final',
    '--sandbox payment create --token t --metadata --json',
  ])('a flag without its value is refused: pay %s', async (line) => {
    const refused = await bench.runPay(line)
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr).toMatch(/needs a value/)
  })

  test('a switch with a value is refused', async () => {
    const refused = await bench.runPay('--sandbox payment capture p1 --final=no')
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s, a property of every object, is not a command',
    async (word) => {
      expect((await bench.runPay([word])).exitCode).toBe(2)
      expect((await bench.runPay(['payment', word])).exitCode).toBe(2)
      expect((await bench.runPay(['help', word])).exitCode).toBe(2)
    },
  )
})

describe('help', () => {
  test('pay alone prints the overview', async () => {
    const bare = await bench.runPay([])
    expect(bare).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await bench.runPay('-h')).toEqual(bare)
  })

  test.each(Object.entries(TREE).filter(([, noun]) => noun.verbs !== undefined))(
    'pay %s alone prints its verbs',
    async (name, noun) => {
      const bare = await bench.runPay([name])
      expect(bare).toMatchObject({ exitCode: 0, stderr: '' })
      for (const verb of Object.keys(noun.verbs ?? {})) expect(bare.stdout).toContain(`  ${verb}`)
      expect(await bench.runPay([name, '--help'])).toEqual(bare)
    },
  )

  test('help needs no account and opens no profile', async () => {
    const help = await bench.runPay('payment refund --help --profile nobody')
    expect(help).toMatchObject({ exitCode: 0, stderr: '' })
  })
})
