interface Effect {
  /** What to write under Do. */
  readonly effect: string
  readonly what: string
  readonly isApplied: boolean
}

/** Every kind of fault, with values as examples. */
export const EFFECTS: readonly Effect[] = [
  { effect: 'refuse', what: 'The connection is refused.', isApplied: false },
  { effect: 'hang', what: 'No response ever comes.', isApplied: false },
  { effect: 'drop-before', what: 'The connection is cut instead of a response.', isApplied: false },
  { effect: 'status=503', what: 'The response has this status, from 300 to 599.', isApplied: false },
  { effect: '429=30', what: 'The response is a 429 with Retry-After.', isApplied: false },
  { effect: 'drop-after', what: 'The connection is cut instead of a response.', isApplied: true },
  { effect: 'delay=2s', what: 'The response is late.', isApplied: true },
  { effect: 'truncate', what: 'The connection is cut in the middle of the response.', isApplied: true },
  { effect: 'malformed', what: 'The response is complete but not JSON.', isApplied: true },
  { effect: 'html', what: "A proxy's page replaces the response (502).", isApplied: true },
  { effect: 'partial', what: 'The response has nothing but its IDs.', isApplied: true },
]
