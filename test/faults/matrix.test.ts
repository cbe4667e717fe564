import { describe, expect, test } from 'vitest'
import { EXIT } from '../../src/errors.ts'
import { WRITES, runFaulty } from '../support/client-bench.ts'
import type { FaultyRun } from '../support/client-bench.ts'
import { FAULTS } from '../support/faults.ts'
import type { Fault } from '../support/faults.ts'

type Row = (typeof WRITES)[number]

/** The expected result: the exit code, how many changes, and how often the write was sent. */
interface Expected {
  readonly exitCode: number
  readonly effects: number
  readonly sends: number
}

const isDoubtful = ({ kind }: Fault): boolean => kind === 'failed' || kind === 'lost'
/** On a resume, 202 means "not finished". */
const answered = ({ id }: Row, name: string): number =>
  id === 'payment.resume' && name === '202' ? EXIT.notFinished : EXIT.done
const applied = ({ applies }: Fault): number => (applies === 'no' ? 0 : 1)

/** The first attempt of the write has the fault; everything after it succeeds. */
function expectedOnce(row: Row, name: string, fault: Fault): Expected {
  switch (fault.kind) {
    case 'unsent':
    case 'rate-limited':
      return { exitCode: EXIT.done, effects: 1, sends: 2 }
    case 'hopeless':
      return { exitCode: EXIT.notConnected, effects: 0, sends: 1 }
    case 'refused':
      return { exitCode: EXIT.rejected, effects: 0, sends: 1 }
    case 'answered':
      return { exitCode: answered(row, name), effects: 1, sends: 1 }
    case 'failed':
    case 'lost':
      return expectedAfterDoubt(row, fault)
  }
}

function expectedAfterDoubt(row: Row, fault: Fault): Expected {
  switch (row.replay) {
    case 'safe':
      // The record already exists, so an update follows: one more request.
      return row.id === 'observability.push' && fault.applies !== 'no'
        ? { exitCode: EXIT.done, effects: 1, sends: 3 }
        : { exitCode: EXIT.done, effects: 1, sends: 2 }
    case 'keyed':
      return { exitCode: EXIT.done, effects: 1, sends: 2 }
    case 'compare':
      return { exitCode: exitOfCompared(fault), effects: applied(fault), sends: 1 }
    case 'look':
      return {
        exitCode: fault.applies === 'yes' ? EXIT.done : EXIT.outcomeUnknown,
        effects: applied(fault),
        sends: 1,
      }
    case 'never':
      return { exitCode: EXIT.outcomeUnknown, effects: applied(fault), sends: 1 }
  }
}

/** Read once and not sent again: an effect proves that it was done, and its absence nothing. */
const exitOfCompared = ({ applies }: Fault): number => (applies === 'yes' ? EXIT.done : EXIT.outcomeUnknown)

/** Every attempt of the write has the fault; every read succeeds. */
function expectedAlways(row: Row, name: string, fault: Fault): Omit<Expected, 'sends'> {
  switch (fault.kind) {
    case 'unsent':
    case 'hopeless':
      return { exitCode: EXIT.notConnected, effects: 0 }
    case 'rate-limited':
      return { exitCode: EXIT.rateLimited, effects: 0 }
    case 'refused':
      return { exitCode: EXIT.rejected, effects: 0 }
    case 'answered':
      return { exitCode: answered(row, name), effects: 1 }
    case 'failed':
    case 'lost':
      if (row.replay === 'compare') return { exitCode: exitOfCompared(fault), effects: applied(fault) }
      if (row.replay === 'look' && fault.applies === 'yes') return { exitCode: EXIT.done, effects: 1 }
      return { exitCode: EXIT.outcomeUnknown, effects: applied(fault) }
  }
}

const STATE: Readonly<Record<number, string>> = {
  [EXIT.done]: 'confirmed',
  [EXIT.notFinished]: 'confirmed',
  [EXIT.outcomeUnknown]: 'in-doubt',
}

function expectWellBehaved(run: FaultyRun, row: Row): void {
  expect(run.settled).toMatchObject({ state: STATE[run.exitCode] ?? 'rejected', exitCode: run.exitCode })
  expect(run.steps.filter(({ kind }) => kind === 'begin' || kind === 'settle')).toHaveLength(2)
  const own = run.writes.filter(({ method }) => method === row.method)
  for (const request of own) expect(request).toEqual(own[0])
  expect(own[0]?.headers['x-idempotency-key']).toBe(row.idempotencyKey ? 'key-1' : undefined)
  if (run.error !== undefined) {
    expect(run.error.details.outcome).toBe(run.exitCode === EXIT.outcomeUnknown ? 'unknown' : 'none')
    expect(run.error.details.operationId).toBe(run.error.exitCode === 130 ? undefined : 'op-1')
  }
}

describe.each(WRITES.map((row) => [row.id, row] as const))('%s', (id, row) => {
  test.each(Object.entries(FAULTS))(
    '%s, once: takes effect once or not at all, and reports it',
    async (name, fault) => {
      let met = 0
      const run = await runFaulty(id, {
        faultOf: ({ method }) => {
          if (method === 'GET') return undefined
          met += 1
          return met === 1 ? fault : undefined
        },
      })
      const { exitCode, effects, writes } = run
      expect({ exitCode, effects: effects.length, sends: writes.length }).toEqual(
        expectedOnce(row, name, fault),
      )
      expectWellBehaved(run, row)
    },
  )

  test.each(Object.entries(FAULTS))(
    '%s, every time: takes effect once or not at all, and reports it',
    async (name, fault) => {
      const run = await runFaulty(id, { faultOf: ({ method }) => (method === 'GET' ? undefined : fault) })
      const { exitCode, effects } = run
      expect({ exitCode, effects: effects.length }).toEqual(expectedAlways(row, name, fault))
      expectWellBehaved(run, row)
    },
  )

  test.each(Object.entries(FAULTS).filter(([, fault]) => isDoubtful(fault)))(
    '%s without retries or a working read: sent once, exit 10',
    async (_name, fault) => {
      const isReadFirst = row.replay === 'compare' || row.replay === 'look'
      const run = await runFaulty(id, {
        maxRetries: 0,
        // Operations that read first: only the later reads fail.
        faultOf: ({ method }, index) =>
          method === 'GET' && index > 0 ? FAULTS['connection refused'] : method === 'GET' ? undefined : fault,
      })
      expect(run.exitCode).toBe(EXIT.outcomeUnknown)
      expect(run.writes).toHaveLength(1)
      expect(run.effects).toHaveLength(applied(fault))
      expect(run.sent).toHaveLength(isReadFirst ? 3 : 1)
      expectWellBehaved(run, row)
    },
  )
})
