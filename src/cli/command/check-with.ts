import { PayError } from '../../errors.ts'

/** Turns a function that throws into the `check` of a question, with message and hint. */
export const checkWith =
  (check: (answer: string) => unknown) =>
  (answer: string): string | undefined => {
    try {
      check(answer)
      return undefined
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      return error.details.hint === undefined ? error.message : `${error.message}. ${error.details.hint}`
    }
  }
