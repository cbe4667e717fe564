/**
 * A ledger that forgets: the two places of the pipeline where a write meets its record are real, the record is not
 * durable yet.
 */
export function createMemoryLedger(newId: () => string) {
  return {
    begin: async () => ({ id: newId(), settle: async () => {} }),
  }
}
