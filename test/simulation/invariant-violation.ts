/** Ends a history: an invariant that does not hold, as a sentence, and the evidence. */
export class InvariantViolation extends Error {
  readonly invariant: string
  readonly evidence: string

  constructor(invariant: string, evidence: string) {
    super(`${invariant} ${evidence}`)
    this.name = 'InvariantViolation'
    this.invariant = invariant
    this.evidence = evidence
  }
}
