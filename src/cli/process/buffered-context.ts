import { requestIdOf } from '../../client/calls/attempt.ts'
import type { Context } from '../command/context.ts'

/** Creates a context for running a command within a command: buffers its output, and records whether it sent a write. */
export function createBufferedContext(context: Context) {
  const buffered = { stdout: '', stderr: '' }
  let requestId: string | undefined
  let hasWritten = false
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY: false,
    columns: undefined,
    write: async (text: string) => {
      buffered[name] += text
    },
  })
  return {
    context: {
      ...context,
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: { isTTY: false, read: async () => new Uint8Array(), chunks: async function* () {} },
      connect: async (account: Parameters<Context['connect']>[0]) => {
        const transport = await context.connect(account)
        return {
          close: () => transport.close(),
          send: async (...sent: Parameters<typeof transport.send>) => {
            if (sent[0].method !== 'GET') hasWritten = true
            const answer = await transport.send(...sent)
            requestId = requestIdOf(answer)
            return answer
          },
        }
      },
    },
    stdout: () => buffered.stdout,
    stderr: () => buffered.stderr,
    requestId: () => requestId,
    hasWritten: () => hasWritten,
  }
}
