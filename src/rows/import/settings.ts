import { dealtBy, isInShard } from '../read/shard.ts'
import type { Shard } from '../read/shard.ts'
import type { TableSettings } from '../read/table-settings.ts'
import type { FailureLimit } from '../send/failure-limit.ts'
import type { OnExists } from './send-record.ts'

export interface ImportSettings extends TableSettings {
  /** The path of the input; `-` for stdin. */
  readonly path: string
  readonly onExists: OnExists
  readonly concurrency: number | undefined
  /** The number of requests per second. */
  readonly rate: number | undefined
  readonly maxFailures: FailureLimit | undefined
  /** How long to wait for a service that asks to slow down. */
  readonly maxWaitMs: number
  /** The number of rows of a trial. */
  readonly canary: number | undefined
  readonly results: string | undefined
  readonly rejects: string | undefined
  readonly restart: boolean
  readonly shard: Shard
}

/** The row that determines the record, of several with the same paymentId. */
export const decidingRow = (onExists: OnExists): 'first' | 'last' =>
  onExists === 'update' ? 'last' : 'first'

/** Whether this process handles a row. One without a paymentId is assigned by its number. */
export const isOursIn =
  ({ shard }: ImportSettings) =>
  (paymentId: string, row: number): boolean =>
    isInShard(dealtBy(paymentId, row), shard)
