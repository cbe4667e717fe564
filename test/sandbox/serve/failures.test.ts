import { expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import { serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'

/** A sandbox that fails once, then works. */
function failingOnce(error: unknown) {
  let calls = 0
  return async (): Promise<ServiceResponse> => {
    calls += 1
    if (calls === 1) throw error
    return { status: 200, headers: { 'content-type': 'application/json', 'x-request-id': 'r' }, body: '{}' }
  }
}

const full = new PayError('sandbox_disk_full', EXIT.serverFault, 'The disk is full: /data', {
  hint: 'Free some space.',
  outcome: 'none',
})
const torn = new PayError('sandbox_disk', EXIT.outcomeUnknown, 'The disk did not take it', {
  outcome: 'unknown',
})

test.each([
  [
    'a full disk',
    full,
    503,
    {
      errorId: 'SandboxUnavailable',
      description: 'The disk is full: /data. Nothing was applied.',
      recoverySuggestion: 'Free some space.',
    },
  ],
  [
    'a disk that failed',
    torn,
    500,
    { errorId: 'SandboxFailed', description: 'The disk did not take it. The request may have been applied.' },
  ],
  [
    'a fault of ours',
    new TypeError('x is not a function'),
    500,
    { errorId: 'SandboxFailed', description: 'x is not a function. The request may have been applied.' },
  ],
  [
    'a thrown text',
    'odd',
    500,
    { errorId: 'SandboxFailed', description: 'odd. The request may have been applied.' },
  ],
])(
  '%s is reported in the error envelope, and the next request is processed',
  async (_, error, status, words) => {
    const failures: unknown[] = []
    const server = await serve(
      { handle: failingOnce(error) },
      { onFailure: (failure) => failures.push(failure) },
    )
    const client = await openRaw(server.port)
    client.send(requestText('POST', '/payments', '{}'))
    await client.until(/\}\}$/)
    client.send(requestText('GET', '/payments'))
    client.endSending()
    const answers = answersIn((await client.untilClosed()).text)
    expect(answers).toMatchObject([{ status }, { status: 200 }])
    expect(JSON.parse(answers[0]?.body ?? '')).toEqual({
      error: { ...words, diagnosticsId: answers[0]?.headers['x-request-id'] },
    })
    expect(failures).toEqual([error])
  },
)

test('a response that cannot be sent ends only its connection', async () => {
  const failures: unknown[] = []
  const handle = async ({ url }: { readonly url: string }): Promise<ServiceResponse> => ({
    status: 200,
    headers: { 'x-odd': url === '/odd' ? 'a\nb' : 'fine' },
    body: '{}',
  })
  const server = await serve({ handle }, { onFailure: (failure) => failures.push(failure) })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/odd'))
  expect((await client.untilClosed()).text).toBe('')
  expect(failures).toMatchObject([{ code: 'ERR_INVALID_CHAR' }])
  const next = await openRaw(server.port)
  next.send(requestText('GET', '/even'))
  await next.until(/200 OK/)
})

test("a failure in the server's own status is also answered", async () => {
  const about = {
    get dataDir(): string {
      throw new Error('gone')
    },
  }
  const server = await serve({ handle: failingOnce(torn) }, { about })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/sandbox/status'))
  expect(await client.until(/\}\}/)).toContain('500 Internal Server Error')
})
