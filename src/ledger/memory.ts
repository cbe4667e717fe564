/**
 * A ledger that forgets: the two places of the pipeline where a write meets its record are real, the record is not
 * durable yet.
 */

interface Intent {
  readonly operation: string
  readonly target: string | undefined
}

export function createMemoryLedger(newId: () => string) {
  const open = new Map<string, Intent>()
  return {
    begin: async (intent: Intent) => {
      const id = newId()
      open.set(id, intent)
      return {
        id,
        settle: async () => {
          open.delete(id)
        },
      }
    },
  }
}
