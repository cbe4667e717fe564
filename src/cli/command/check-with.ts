import { PayError } from '../../errors.ts'

/** What a check says against an answer, for a question that is asked until it is right; undefined where it is. */
export const checkWith =
  (check: (answer: string) => unknown) =>
  (answer: string): string | undefined => {
    try {
      check(answer)
      return undefined
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      return [error.message, error.details.hint].filter(Boolean).join(' ')
    }
  }
