import { accountOfRecord } from '../../cli/account-of-record.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resolveOpen } from '../../cli/resolve-open.ts'
import { resultOf, textView } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'

export const command: CommandSpec = {
  path: ['ops', 'resolve'],
  summary: 'Find out what became of a write that is in doubt',
  examples: [{ says: 'all of them', line: 'pay ops resolve --all' }],
  args: [{ name: 'ID', help: 'Of the operation', optional: true }],
  flags: { all: { kind: 'switch', help: 'Everything that is open' } },
  run: async ({ context, clientOf }: Invocation, input: CommandInput) => {
    const ledger = await context.ledger()
    const { records } = await ledger.list({ onlyOpen: true })
    const lines: string[] = []
    for (const { id } of records.filter(
      (record) => input.args['ID'] === undefined || record.id === input.args['ID'],
    )) {
      const { record, resolution } = await resolveOpen(
        ledger,
        id,
        (open) => clientOf(accountOfRecord(context, open)),
        { maySend: async () => true },
      )
      lines.push(`${record.id} ${resolution.kind}: ${resolution.words}`)
    }
    return resultOf(
      lines,
      textView((all) => all.join('\n')),
    )
  },
}
