import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WRITES, runFaulty } from '../support/client-bench.ts'
import type { FaultyRun, Step } from '../support/client-bench.ts'
import { FAULTS } from '../support/faults.ts'
import type { Fault } from '../support/faults.ts'
import { scaledRuns } from '../support/test-effort.ts'

type Row = (typeof WRITES)[number]

/** Whether an interruption comes, during which request, and before or after the service has done it. */
const signal = fc.option(
  fc.record({ index: fc.nat(4), moment: fc.constantFrom<'before' | 'after'>('before', 'after') }),
  { nil: undefined, freq: 3 },
)

const history = fc.record({
  names: fc.array(fc.constantFrom('none', ...Object.keys(FAULTS)), { maxLength: 10 }),
  decision: fc.constantFrom('approved' as const, 'declined' as const, 'gateway-timeout' as const),
  maxRetries: fc.nat(5),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  stop: signal,
  abandon: signal,
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

interface Watched extends FaultyRun {
  /** The fault of each request, in order of sending. */
  readonly met: readonly (Fault | undefined)[]
  readonly decision: History['decision']
}

async function replay(
  row: Row,
  { names, decision, maxRetries, random, stop, abandon }: History,
): Promise<Watched> {
  const interruption = { stop: new AbortController(), abandon: new AbortController() }
  const met: (Fault | undefined)[] = []
  const run = await runFaulty(row.id, {
    decision,
    maxRetries,
    random: () => random,
    interruption,
    faultOf: (_, index) => {
      met[index] = FAULTS[names[index] ?? 'none']
      return met[index]
    },
    during: (index, moment) => {
      if (stop?.index === index && stop.moment === moment) interruption.stop.abort('SIGINT')
      if (interruption.stop.signal.aborted && abandon?.index === index && abandon.moment === moment)
        interruption.abandon.abort('SIGINT')
    },
  })
  return { ...run, met, decision }
}

const forEachHistory = (row: Row, check: (run: Watched) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, async (drawn) => check(await replay(row, drawn))),
    // The same histories each time: among others, one that succeeds is needed.
    { numRuns: scaledRuns(30), seed: 5 },
  )

/** Exit codes that promise that nothing moved. */
const NOTHING_MOVED = [2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 130, 143]

describe.each(WRITES.map((row) => [row.id, row] as const))('%s, whatever happens', (_id, row) => {
  test('has its effect at most once, and the exit code tells the truth about it', async () => {
    const seen = new Set<number>()
    await forEachHistory(row, ({ exitCode, effects, answer, decision }) => {
      seen.add(exitCode)
      expect(effects.length).toBeLessThanOrEqual(1)
      // That a refund's own transaction has failed is seen on the payment alone, and that could not be read: it says so.
      const isUnseen = row.id === 'payment.refund' && answer?.warning?.includes('could not be read back')
      if (exitCode === 0 && (isUnseen !== true || decision === 'approved')) expect(effects).toHaveLength(1)
      if (exitCode !== 0) expect(NOTHING_MOVED.includes(exitCode) ? effects : []).toEqual([])
      if (![0, 8, 10].includes(exitCode)) expect(NOTHING_MOVED).toContain(exitCode)
    })
    expect(seen.has(0)).toBe(true)
  })

  test('is sent with the same bytes and the same key each time', async () => {
    await forEachHistory(row, ({ writes }) => {
      const own = writes.filter(({ method }) => method === row.method)
      for (const request of own) expect(request).toEqual(own[0])
      if (row.idempotencyKey)
        for (const request of own) expect(request.headers['x-idempotency-key']).toBe('key-1')
    })
  })

  test('ends a doubt by a complete 2xx, a refusal of our own key or a look that shows it, and by nothing else', async () => {
    await forEachHistory(row, (run) => {
      if (isInDoubt(row, run)) expect([0, 8, 10, 13]).toContain(run.exitCode)
    })
  })

  test('is recorded before it is sent and before it is told, and never sends anything new after a signal', async () => {
    await forEachHistory(row, ({ steps, exitCode }) => {
      const begins = steps.filter(({ kind }) => kind === 'begin')
      expect(begins.length).toBeLessThanOrEqual(1)
      expect(
        steps
          .slice(
            0,
            steps.findIndex(({ kind }) => kind === 'begin'),
          )
          .some(written),
      ).toBe(false)
      if (begins.length === 0) expect(steps.some(written)).toBe(false)
      else expect(steps.at(-1)).toMatchObject({ kind: 'settle', exitCode })
      const stopped = steps.findIndex(({ kind }) => kind === 'stop')
      if (stopped !== -1) expect(steps.slice(stopped).filter(({ kind }) => kind === 'send')).toEqual([])
    })
  })
})

const written = (step: Step): boolean => step.kind === 'send' && step.request.method !== 'GET'

/** Whether an attempt may have been done. That the service failed at an adjustment is settled by the look that follows. */
function isInDoubt(row: Row, { sent, met }: Watched): boolean {
  return met.some(
    (fault, index) =>
      sent[index]?.method === row.method &&
      (fault?.kind === 'lost' || (fault?.kind === 'failed' && row.replay !== 'compare')),
  )
}
