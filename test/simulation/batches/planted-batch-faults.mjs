/** Faults that histories of batches must find; see `planted-faults.mjs`. */
export const PLANTED_BATCH_FAULTS = [
  {
    name: 'the key of a row does not name the row',
    file: 'src/batch/apply/ready-row.ts',
    from: "['batch row', planId, row, operation, paymentId]",
    to: "['batch row', planId, operation, paymentId]",
  },
  {
    name: 'the key of a row is another one in every run',
    file: 'src/batch/apply/ready-row.ts',
    from: "['batch row', planId, row, operation, paymentId]",
    to: "['batch row', planId, row, operation, paymentId, Math.random()]",
  },
  {
    name: 'the payment is not compared before a row is sent',
    file: 'src/calls/client.ts',
    from: '    if (seen !== undefined) call.review?.(seen)\n',
    to: '',
  },
  {
    name: 'a row is sent although the payment was refunded after it was read',
    isRare: true,
    file: 'src/calls/client.ts',
    from: '...(before === undefined ? {} : { seenAt }),',
    to: '',
  },
  {
    name: 'rows that are done do not count towards the figures of their payment',
    file: 'src/batch/apply/tally.ts',
    from: "    if (outcome === 'done') this.#addMoved(row)\n",
    to: '',
  },
  {
    name: 'rows of one payment run at once',
    file: 'src/batch/apply/run.ts',
    from: 'queue.add(row.paymentId, ',
    to: 'queue.add(String(row.row), ',
  },
  {
    name: 'a row in doubt does not stop the rows after it',
    isRare: true,
    file: 'src/batch/apply/tally.ts',
    from: '      this.#doubtful.add(row.paymentId)\n',
    to: '',
  },
  {
    name: 'a row that was begun is sent again although its payment has changed',
    file: 'src/batch/apply/settle-open.ts',
    from: "    if (difference === undefined) return 'absent'\n",
    to: "    if (difference === undefined || difference.growth > 0) return 'absent'\n",
  },
  {
    name: 'the recovery takes an equal refund of another machine for this row',
    file: 'src/batch/apply/settle-open.ts',
    from: "    if (difference === undefined) return 'absent'\n",
    to: '    if (difference === undefined) return undefined\n',
  },
  {
    name: 'an equal refund by someone else counts as done elsewhere',
    file: 'src/batch/apply/probe.ts',
    from: 'if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return false',
    to: 'if (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429) return true',
  },
  {
    name: 'a row that another machine did is skipped',
    file: 'src/batch/apply/probe.ts',
    from: 'if (errorId !== undefined && KEY_USED.includes(errorId)) return true',
    to: 'if (errorId !== undefined && KEY_USED.includes(errorId)) return false',
  },
  {
    name: 'a question about a key can be performed',
    file: 'src/batch/apply/probe.ts',
    from: 'const value = { amount: amount + 1 }',
    to: 'const value = { amount: 1 }',
  },
  {
    name: 'the outcome of a lost answer is taken for done',
    file: 'src/batch/apply/apply-row.ts',
    from: "return { outcome: 'unknown', errorId, message }",
    to: "return { outcome: 'done', errorId, message }",
  },
  {
    name: 'an outcome in the ledger is believed before it is durable',
    isRare: true,
    file: 'src/ledger/ledger.ts',
    from: '      await history.sync()\n',
    to: '',
    and: [
      {
        file: 'src/batch/apply/known-rows.ts',
        from: '  for (const { row } of unsettled) over.delete(row.row)\n  return { over, open: unsettled }',
        to: '  return { over, open: unsettled.filter(({ row }) => !over.has(row.row)) }',
      },
    ],
  },
]
