import type { Draft } from '../command/draft.ts'
import { switchFlag } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'
import { numberAt } from './payment-reader.ts'
import type { PaymentReader } from './payment-reader.ts'
import type { Preview } from '../command/money-spec.ts'

/** One part of what a person sees before money moves, on stderr. Nothing in a script. */
export async function showPreview(
  invocation: CommandRun,
  draft: Draft,
  reader: PaymentReader,
  part: keyof Preview,
): Promise<void> {
  const { money } = invocation.spec
  if (money === undefined || !invocation.isInteractive) return
  const account = await invocation.account()
  // What was typed is known, even when the payment could not be read.
  const preview = money.preview(reader.seen() ?? { id: draft.params['id'] }, {
    profileName: account.profile?.value ?? account.baseUrl.value,
    mode: account.mode.value,
    amountMinor: numberAt(draft.body, 'amount'),
    final: switchFlag(invocation.input, 'final')
      ? true
      : invocation.input.flags['final'] === false
        ? false
        : undefined,
    paint: await invocation.paint('stderr'),
    width: invocation.context.stderr.columns,
  })
  // Apart from what is asked or answered next.
  await invocation.warn(`${preview[part]}\n`, 'ids')
}
