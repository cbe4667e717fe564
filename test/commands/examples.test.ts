import { expect, test } from 'vitest'
import { teamDatabase } from '../client/ledger/team/postgres.ts'
import { splitWords } from '../support/run-pay.ts'
import { envFor, PLAIN_EXAMPLES, SHELL_EXAMPLES, useExampleFiles } from './example-lines.ts'

const { prepare, read: readExample } = useExampleFiles()

/** A team's ledger of its own. */
async function ledgerFor(path: string): Promise<Readonly<Record<string, string>>> {
  if (!path.startsWith('ledger ')) return {}
  const { url } = await teamDatabase({ isEmpty: path === 'ledger init' })
  return { PAY_PROFILE: 'shop', PAY_LEDGER: url, PAY_LEDGER_ACCOUNT: 'acme' }
}

/** Runs the commands of a line in process: each reads what the one before it prints. */
test.each(PLAIN_EXAMPLES)('%s', async (line, path) => {
  const { bench, variables } = await prepare(path)
  try {
    const env = { ...envFor(path), ...(await ledgerFor(path)) }
    let stdin = ''
    for (const command of line.split(' | ')) {
      const words = splitWords(command).map((word) =>
        word.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? ''),
      )
      const [program, ...rest] = words
      const [read, written] = ['<', '>'].map((sign) => rest.indexOf(sign))
      const file = rest[(read ?? -1) + 1]
      if (read !== -1 && file !== undefined) stdin = readExample(file)
      if (program === 'pass') stdin = 'key-0123456789abcdef'
      else {
        const end = Math.max(read ?? -1, written ?? -1)
        const ran = await bench.runPay(end === -1 ? rest : rest.slice(0, end), { env, stdin })
        expect(ran.stderr, 'BEFORE prepares what examples need').not.toContain('✗')
        expect(ran.exitCode, ran.stderr).toBe(0)
        stdin = ran.stdout
      }
    }
  } finally {
    bench.dispose()
  }
})

test('there are examples', () => expect(SHELL_EXAMPLES.length + PLAIN_EXAMPLES.length).toBeGreaterThan(40))
