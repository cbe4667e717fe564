/** What must never be: the sentence that does not hold, and what shows it. */
export class Violation extends Error {
  readonly sentence: string
  readonly shownBy: string

  constructor(sentence: string, shownBy: string) {
    super(`${sentence} ${shownBy}`)
    this.name = 'Violation'
    this.sentence = sentence
    this.shownBy = shownBy
  }
}
