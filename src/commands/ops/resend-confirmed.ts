import { accountOf } from '../../client/calls/build-intent.ts'
import type { Answer, Call } from '../../client/calls/call.ts'
import { isKeyOld } from '../../client/calls/absence.ts'
import { accountOfRecord } from '../../cli/account/account-of-record.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, PayError } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import { timingOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { describeOperation } from '../../views/ops/state.ts'
import { confirmResend } from './confirm-resend.ts'
import { inspectCommands } from './next-commands.ts'
import type { ResolvedRecord } from './resolve-record.ts'

const SENT = 'It was sent again with the same idempotency key, as a write of its own.'
const KNOWN =
  'The service knows its idempotency key, so it had been done: what the payment shows is yours. Nothing more was done.'

/**
 * Sends a write that was confirmed only because the payment showed an equal effect, on a person's decision. The record stays as it
 * is: the request, with its key, is a new write.
 * @throws {PayError} exit 6 if it can't be sent any more
 */
export async function resendConfirmed(
  invocation: Invocation,
  ledger: WholeLedger,
  record: StoredRecord,
): Promise<ResolvedRecord> {
  const { context, input } = invocation
  const account =
    ledger.team === undefined
      ? await accountOfRecord(context, record, textFlag(input, 'profile'))
      : await invocation.account()
  if (account.kind === 'sandbox') await invocation.noteSandbox()
  else if (account.apiKey !== undefined) invocation.keepSecret(account.apiKey.value)
  const { OPERATIONS } = await import('../../api/table.ts')
  const operation = OPERATIONS.find(({ id }) => id === record.operation)
  const { first, keySince } = timingOf(record)
  const { request, idempotencyKey } = record
  const apiKeyId =
    account.apiKey && accountOf({ baseUrl: account.baseUrl.value, apiKey: account.apiKey.value })
  if (operation === undefined || request === undefined || idempotencyKey === null)
    throw cannotResend(record, 'the ledger has dropped its request')
  if (apiKeyId !== record.apiKeyId) throw cannotResend(record, 'it was sent with another API key')
  if (isKeyOld({ first, keySince }, context.clocks()))
    throw cannotResend(record, 'its idempotency key is too old, or no clock tells its age')
  const client = await invocation.clientOf(account)
  const { getPayment } = await import('../../api/operations/payment.ts')
  const read = (): Promise<Answer> => client.call({ operation: getPayment, params: request.params })
  const { json: payment } = await read()
  await confirmResend(invocation, { record, account, evidence: 'shown', payment, resends: true })
  invocation.markWritten()
  const { body } = request
  const call: Call = {
    operation,
    params: request.params,
    ...(body === undefined ? {} : { body: { value: parseJson(body), text: body } }),
    idempotencyKey,
    keySince: [first, ...keySince],
    amount: record.amount ?? undefined,
    currencyCode: record.currencyCode ?? undefined,
    reason: record.reason ?? undefined,
    mayRepeat: true,
    ifKeyUsed: async () => ({ payment: await read(), exitCode: EXIT.done, note: KNOWN }),
  }
  const { operationId = '', note } = await client.call(call)
  const found = await ledger.find(operationId)
  return found.kind === 'record'
    ? { record: found.record, explanation: note ?? SENT, problem: undefined }
    : { record, explanation: note ?? SENT, problem: undefined }
}

const cannotResend = (record: StoredRecord, why: string): PayError =>
  new PayError(
    'not_open',
    EXIT.conflict,
    `Nothing was sent: ${describeOperation(record)} can't be sent again, since ${why}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: 'To make a new write, run the command again.',
      next: inspectCommands(record),
    },
  )
