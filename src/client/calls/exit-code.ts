import { knownStatus } from '../../api/payment-states.ts'
import { factsOf } from '../../api/facts.ts'
import { EXIT } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'
import { likelyOwnRefunds, refundsOfAmount } from './matching-refunds.ts'
import { isRecord } from '../../json/is-record.ts'
import { agree } from '../../text/words.ts'
import { textAt } from '../../json/fields.ts'

/** What a complete 2xx response means for the exit code. */

type Fields = Readonly<Record<string, unknown>>

/** The exit code of a complete 2xx response: 0, 8 (not finished), 10 (the processor never responded) or 13 (declined, failed). */
export function exitOfAnswer(
  operationId: string,
  status: number,
  request: unknown,
  answer: unknown,
): ExitCode {
  const operation = factsOf(operationId)
  if (operation?.notFinished !== undefined && status === 202) return EXIT.notFinished
  if (operation === undefined || !isRecord(answer)) return EXIT.done
  const exitCode = exitOfStatus(textAt(answer, 'status'), answer['statusReason'])
  switch (operation.verdict) {
    case 'payment':
      return exitCode
    case 'refund':
      return exitOfRefund(request, answer)
    case 'timeout':
      return exitCode === EXIT.outcomeUnknown ? exitCode : EXIT.done
    case 'http-status':
      return EXIT.done
  }
}

function exitOfStatus(status: string | undefined, statusReason: unknown): ExitCode {
  if (status !== 'DECLINED' && status !== 'FAILED') return EXIT.done
  const reason = isRecord(statusReason) ? statusReason : {}
  // FAILED because the gateway never responded: the processor may still have done it.
  if (status === 'FAILED' && reason['type'] === 'GATEWAY_TIMEOUT') return EXIT.outcomeUnknown
  return EXIT.declined
}

function ownRefunds(request: unknown, payment: Fields): readonly Fields[] {
  const requested = isRecord(request) ? request : {}
  return likelyOwnRefunds(requested, refundsOfAmount(requested, payment))
}

const exitsOf = (refunds: readonly Fields[]): readonly ExitCode[] =>
  refunds.map((refund) => exitOfStatus(textAt(refund, 'processorStatus'), refund['processorStatusReason']))

/** The exit code of a refund. If it is unclear which refund is ours, it failed only when all candidates failed. */
function exitOfRefund(request: unknown, payment: Fields): ExitCode {
  const exits = exitsOf(ownRefunds(request, payment))
  if (exits.length === 0 || exits.includes(EXIT.done)) return EXIT.done
  return exits.includes(EXIT.outcomeUnknown) ? EXIT.outcomeUnknown : EXIT.declined
}

/** A warning that the exit code can't express: our refund may be one of those that failed, or its state isn't known. */
export function warningOfAnswer(operationId: string, request: unknown, answer: unknown): string | undefined {
  if (factsOf(operationId)?.verdict !== 'refund' || !isRecord(answer)) return undefined
  const refunds = ownRefunds(request, answer)
  const unknown = refunds
    .map((refund) => refund['processorStatus'])
    .find((status) => status !== undefined && status !== null && knownStatus(status) === undefined)
  if (unknown !== undefined)
    return `The response gives the refund a state that pay doesn't know (${shownState(unknown)}), so it may have failed: look at the payment before you rely on it.`
  const exits = exitsOf(refunds)
  const failed = exits.filter((exit) => exit !== EXIT.done).length
  return failed === 0 || failed === exits.length
    ? undefined
    : `${failed} of ${exits.length} refunds that match this one ${agree(failed, 'has', 'have')} failed, and the response does not say which one is yours: compare them with the earlier refunds.`
}

/** Quotes only what looks like a state. */
const shownState = (status: unknown): string =>
  typeof status === 'string' && /^[\w .-]{1,40}$/.test(status) ? status : 'not a word'
