/** Faults that histories of batches must find; see `planted-faults.mjs`. */
export const PLANTED_BATCH_FAULTS = [
  {
    name: 'the key of a row does not name the row',
    file: 'src/rows/batch/apply/ready-row.ts',
    from: "['batch row', planId, row, operation, paymentId]",
    to: "['batch row', planId, operation, paymentId]",
  },
  {
    name: 'the key of a row is another one in every run',
    file: 'src/rows/batch/apply/ready-row.ts',
    from: "['batch row', planId, row, operation, paymentId]",
    to: "['batch row', planId, row, operation, paymentId, Math.random()]",
  },
  {
    name: 'the payment is not compared before a row is sent',
    file: 'src/client/calls/client.ts',
    from: '    if (seen !== undefined) call.review?.(seen)\n',
    to: '',
  },
  {
    name: 'a row is sent although another command of the machine has changed the payment since it was read',
    file: 'src/client/calls/client.ts',
    from: '...(knownEnded === undefined ? {} : { knownEnded }),',
    to: '',
  },
  {
    name: 'rows that are done do not count towards the figures of their payment',
    file: 'src/rows/batch/apply/known-rows.ts',
    from: 'amount === undefined) continue',
    to: 'amount !== undefined) continue',
  },
  {
    name: 'rows of one payment run at once',
    // The row that comes too late sees the payment changed, looks again, and nearly always finds why.
    isRare: true,
    file: 'src/rows/batch/apply/run.ts',
    from: 'rowOf(one).paymentId',
    to: 'String(rowOf(one).row)',
  },
  {
    name: 'a row in doubt does not stop the rows after it',
    isRare: true,
    file: 'src/rows/batch/apply/run.ts',
    from: "some(({ result }) => result?.outcome === 'unknown')",
    to: 'some(() => false)',
  },
  {
    name: 'the outcome of a lost answer is taken for done',
    file: 'src/rows/batch/apply/apply-row.ts',
    from: "return { outcome: 'unknown', errorId, message }",
    to: "return { outcome: 'done', errorId, message }",
  },
  {
    name: 'every capture of a payment is the last one',
    file: 'src/rows/batch/apply/ready-row.ts',
    from: 'return final === false ?',
    to: 'return final === null ?',
  },
  {
    name: 'no capture of a payment is the last one',
    file: 'src/rows/batch/apply/ready-row.ts',
    from: 'return final === false ?',
    to: 'return final !== null ?',
  },
  {
    name: 'the last capture of a payment is sent although an earlier one has failed',
    file: 'src/rows/batch/apply/apply-row.ts',
    from: '    if (mustWait) throw new HeldBack()\n',
    to: '',
  },
  {
    name: 'what a plan has captured does not count towards the figures of its next row',
    file: 'src/rows/batch/apply/difference.ts',
    from: "(operation === 'capture' ? ownAmount : 0)",
    to: '0',
  },
  {
    name: 'a payment is no longer as planned once its own plan has captured a part',
    file: 'src/rows/batch/apply/difference.ts',
    from: "return operation === 'capture' && ownAmount > 0 && (captured === 'part' || captured === 'all')",
    to: 'return false',
  },
  {
    name: 'the key of a ticket does not name the operation',
    // A row and a single write of another operation must use one ticket for one amount.
    isRare: true,
    file: 'src/client/calls/build-intent.ts',
    from: "'ticket', baseUrl, call.operation.id, ",
    to: "'ticket', baseUrl, ",
  },
  {
    name: 'a row that another machine has just sent has failed',
    file: 'src/rows/batch/apply/apply-row.ts',
    from: '      processed = found.result\n      return found.processed',
    to: '      return undefined',
  },
  {
    name: 'a cancellation that another machine has just sent has failed',
    file: 'src/rows/batch/apply/apply-row.ts',
    from: '      processed = found.result\n      return found.processed',
    to: "      if (plan.operation === 'cancel') return undefined\n      processed = found.result\n      return found.processed",
  },
  {
    name: 'a cancellation has the amount of its payment',
    file: 'src/rows/batch/apply/known-rows.ts',
    from: 'write.amount === (amount ?? null)',
    to: 'write.amount === amount',
  },
  {
    name: 'a row that only the ledger has as done is begun again',
    file: 'src/rows/batch/apply/known-rows.ts',
    from: 'if (result !== undefined) return { result }',
    to: 'if (result !== undefined && result.outcome === noted?.outcome) return { result }',
  },
  {
    name: 'a row that was begun is sent again although its payment has changed',
    file: 'src/client/recovery/by-key.ts',
    from: "return { evidence: 'unclear', why: expected.why }",
    to: "return { evidence: 'absent' }",
  },
  {
    name: 'a row is sent again although its payment shows its effect',
    file: 'src/client/recovery/by-key.ts',
    from: ": { ...seen, evidence: 'shown' }",
    to: ": { ...seen, evidence: 'absent' }",
  },
  {
    name: 'a row is sent again with a key that the service has forgotten',
    file: 'src/client/calls/absence.ts',
    from: '> KEY_LIFETIME_MS',
    to: '> Number.POSITIVE_INFINITY',
  },
]
