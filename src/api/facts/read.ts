/** What all reads have in common. */
export const READ = {
  idempotencyKey: false,
  replay: 'safe',
  targets: [],
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  creates: null,
  countsRefusals: false,
  words: null,
  notes: [],
  risk: 'read',
} as const
