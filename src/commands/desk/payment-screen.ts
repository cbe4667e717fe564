import { getPayment } from '../../api/operations/payment.ts'
import { PayError, interruptedBy } from '../../errors.ts'
import { paymentOf, published } from '../../client/ledger/record.ts'
import { wrapWords } from '../../output/wrap.ts'
import { formatAmount, formatField, joinParts } from '../../views/format-fields.ts'
import { isOpen } from '../../views/ops/state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { explanationView } from '../../views/payment/explanation.ts'
import type { Explanation } from '../../views/payment/explanation.ts'
import { formatStatus } from '../../views/status.ts'
import { explainPayment } from '../explain-payment.ts'
import type { DeskRow } from './list-state.ts'
import { entriesFor, entryOf, menuScreen } from './menu.ts'
import type { Choice, Entry } from './menu.ts'
import { runAction } from './run-action.ts'
import { accountName, openWrites, print, reading, show } from './session.ts'
import type { Desk } from './session.ts'

/** Opens a row: prints what the payment's story is, then offers what can be done until the person goes back. */
export async function openRow(desk: Desk, row: DeskRow): Promise<void> {
  let isPrinted = false
  for (;;) {
    const explanation = row.paymentId === undefined ? undefined : await explain(desk, row.paymentId)
    if (explanation !== undefined && !isPrinted) await printExplanation(desk, explanation)
    isPrinted = true
    const entries = await entriesOf(desk, row, explanation)
    if (entries.length === 0) return
    const choice = await show(desk, menuScreen(titleOf(desk, row, explanation), entries))
    if (choice.kind === 'back') return
    isPrinted = choice.kind !== 'again'
    await doChoice(desk, choice, explanation)
    const { stop } = desk.context.interruption
    if (stop.aborted) throw interruptedBy(stop)
  }
}

async function doChoice(desk: Desk, choice: Choice, explanation: Explanation | undefined): Promise<void> {
  if (choice.kind === 'run') return runAction(desk, choice.args)
  if (choice.kind !== 'copy') return
  const commands = (explanation?.actions ?? []).map(({ command }) => `  ${command}`)
  await print(desk, `${desk.paint('Commands to copy', 'strong')}\n${commands.join('\n')}\n`)
}

/** Undefined, after saying why, if it can't be read: Ctrl-C ends only the reading. */
async function explain(desk: Desk, id: string): Promise<Explanation | undefined> {
  try {
    return await desk.context.interruptibly((context) =>
      reading({ ...desk, context }, async (invocation) => {
        const { json } = await invocation.call({ operation: getPayment, params: { id } })
        return explainPayment(invocation, id, json)
      }),
    )
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const problem = `Payment ${formatField(id)} could not be read. ${error.message}`
    const lines = wrapWords(problem, desk.context.stderr.columns)
    await print(desk, desk.paint(`${lines.join('\n')}\n`, 'warn'))
    return undefined
  }
}

async function printExplanation(desk: Desk, explanation: Explanation): Promise<void> {
  const { stderr, timeZone } = desk.context
  const options = { paint: desk.paint, width: stderr.columns, timeZone: timeZone() }
  // The menu offers the actions.
  await print(desk, `\n${explanationView.render({ ...explanation, actions: [] }, options)}\n`)
}

async function entriesOf(
  desk: Desk,
  row: DeskRow,
  explanation: Explanation | undefined,
): Promise<readonly Entry[]> {
  const open = explanation?.ledger?.find(isOpen) ?? (await openWriteOf(desk, row))
  if (explanation === undefined || row.paymentId === undefined)
    return open === undefined ? [] : [entryOf(open)]
  return entriesFor(row.paymentId, explanation.payment, open)
}

async function openWriteOf(
  desk: Desk,
  { paymentId, writeId }: DeskRow,
): Promise<OperationRecord | undefined> {
  const found = (await openWrites(desk))?.find(
    (record) => record.id === writeId || (paymentId !== undefined && paymentOf(record) === paymentId),
  )
  return found === undefined ? undefined : published(found)
}

const titleOf = (
  { account }: Desk,
  { id, paymentId }: DeskRow,
  explanation: Explanation | undefined,
): string => {
  const { status, amount, currencyCode } = explanation?.payment ?? {}
  return joinParts(
    [
      accountName(account),
      paymentId === undefined ? `write ${formatField(id)}` : `payment ${formatField(paymentId)}`,
      status === undefined ? undefined : formatStatus(status),
      formatAmount(amount, currencyCode),
    ],
    ' · ',
  )
}
