import { stringifyJson } from '../../json/json.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resultOf, textView } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { published } from '../../ledger/record.ts'

export const command: CommandSpec = {
  path: ['ops', 'list'],
  summary: 'List what was sent from this machine, newest first',
  examples: [{ says: 'everything', line: 'pay ops list' }],
  run: async ({ context }: Invocation) => {
    const { records } = await (await context.ledger()).list({})
    return resultOf(
      records.map(published),
      textView((rows) => stringifyJson(rows, 2)),
    )
  },
}
