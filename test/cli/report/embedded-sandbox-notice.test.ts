import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

test.each([
  'payment list --sandbox',
  '--sandbox session create --order-id A',
  '--sandbox api GET /payments',
  '-p sandbox payment list',
  'sandbox tokenize --card 4111111111111111',
  'sandbox clock show',
  'sandbox scenarios',
  'sandbox reset',
  'whoami --sandbox',
  'ops list --sandbox',
  'batch list -p sandbox',
  'ops verify --sandbox',
  'commands --sandbox',
  'doctor --sandbox',
  'smoke --sandbox',
  'payment capture p1 --sandbox --dry-run',
  'payment capture p1 --sandbox --curl',
  '--sandbox payment get nobody123',
])(
  'the embedded sandbox says on stderr that there is no real money, except with -q: pay %s',
  async (line) => {
    const said = await bench.runPay(line)
    expect(said.stderr).toContain('embedded sandbox: no real money')
    expect(said.stderr.split('no real money')).toHaveLength(2)
    expect(said.stdout).not.toContain('no real money')
    const quiet = await bench.runPay(`${line} -q`)
    expect(quiet.stderr).not.toContain('no real money')
  },
)
