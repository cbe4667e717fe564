import { errorsOf } from '../../../src/client/ledger/ledger-file.ts'
import { UncertainCommit } from '../../../src/store/store.ts'
import type { Store } from '../../../src/store/store.ts'

/** A full disk, as the real ledger reports it. */
export const FULL = errorsOf('ledger.db').explain(
  Object.assign(new Error('database or disk is full'), { errcode: 13 }),
)

/** What a step of a transaction is: its begin, each statement, the instant before its commit, and the one after it. */
export type StepName = 'begin' | 'get' | 'all' | 'arrays' | 'run' | 'commit' | 'committed'

/**
 * A store that calls `onStep` before each step, counted from 1; if that throws, the transaction fails there. After a commit, what
 * it has done stays.
 */
export function tripping(store: Store, onStep: (step: number, name: StepName) => void): Store {
  let steps = 0
  const step = (name: StepName): void => {
    steps += 1
    onStep(steps, name)
  }
  return {
    ...store,
    transaction: async (work, claiming) => {
      step('begin')
      const result = await store.transaction(async (tx) => {
        const value = await work({
          get: async (...statement) => {
            step('get')
            return tx.get(...statement)
          },
          all: async (...statement) => {
            step('all')
            return tx.all(...statement)
          },
          arrays: async (...statement) => {
            step('arrays')
            return tx.arrays(...statement)
          },
          run: async (...statement) => {
            step('run')
            return tx.run(...statement)
          },
        })
        step('commit')
        return value
      }, claiming)
      try {
        step('committed')
      } catch (error) {
        throw new UncertainCommit(error)
      }
      return result
    },
  }
}
