import { confirm, input, password } from '@inquirer/prompts'
import { interruptedBy } from '../errors.ts'
import { safeText } from '../output/safe-text.ts'
import type { Prompts, Question } from './prompts-port.ts'

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** The only file that knows the prompt library. Ctrl-C and a closed terminal mean: nothing was sent. */
export function createPrompts(streams: Streams, stop: AbortSignal): Prompts {
  const context = { ...streams, clearPromptOnDone: false, signal: stop }
  const stopping = <T>(answer: Promise<T>) => orInterrupted(answer, stop)
  return {
    text: (question) =>
      stopping(input({ message: messageOf(question), validate: validatorOf(question) }, context)),
    secret: (question) =>
      stopping(
        password(
          // Stars tell that a paste has arrived. A key that shows the answer in the clear is the library's default.
          { message: messageOf(question), mask: true, toggleMask: false, validate: validatorOf(question) },
          context,
        ),
      ),
    confirm: ({ sentence }) => stopping(confirm({ message: safeText(sentence), default: false }, context)),
  }
}

const messageOf = ({ label, hint }: Question): string =>
  safeText(hint === undefined ? `${label}:` : `${label} (${hint}):`)

const validatorOf = (question: Question) => (answer: string) => question.check?.(answer) ?? true

async function orInterrupted<T>(answer: Promise<T>, stop: AbortSignal): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (
      error instanceof Error &&
      ['ExitPromptError', 'AbortPromptError', 'CancelPromptError'].includes(error.name)
    ) {
      throw interruptedBy(stop)
    }
    throw error
  }
}
