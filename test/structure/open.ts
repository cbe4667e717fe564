/** What the map does not allow and is still there; each entry goes with its import. */
export const OPEN_IMPORTS: readonly string[] = [
  'bulk/read/ndjson.ts imports bulk/send/run.ts',
  'bulk/read/table.ts imports bulk/send/run.ts',
  'bulk/row-outcome.ts imports http/transport-port.ts',
  'bulk/row-outcome.ts imports bulk/send/adaptive-limiter.ts',
  'bulk/row-outcome.ts imports bulk/map/prepare.ts',
]
export const OPEN_CIRCLES: readonly string[] = [
  'bulk/map/amount-cell.ts bulk/map/cell.ts bulk/map/moment-cell.ts',
  'bulk/read/table.ts bulk/send/run.ts',
  'commands/offer-payments.ts commands/payment-argument.ts',
]
export const OPEN_LENGTHS: readonly string[] = []
