import { expect, test } from 'vitest'
import { attemptLines } from '../../../src/cli/report/attempt-lines.ts'

const SECRET = 'secret-of-this-run'

const debugOf = (body: string) =>
  attemptLines(
    {
      attempt: 1,
      startedAt: new Date(0),
      durationMs: 5,
      request: { method: 'GET', url: 'https://h/p', headers: {}, body: undefined },
      ended: { kind: 'answer', answer: { status: 200, headers: {}, body }, requestId: undefined },
    },
    { isDebug: true, secrets: [SECRET] },
  ).join('\n')

test.each([
  ['its start', 9_995],
  ['its end', 9_985],
])('a secret at the cut of a long body does not show %s', (_, before) => {
  const text = debugOf(JSON.stringify(`${'x'.repeat(before)}${SECRET}${'y'.repeat(100)}`))
  expect(text).not.toContain('xs')
  expect(text.length).toBeLessThan(10_100)
})

test.each(['clientToken', 'password', 'client_secret', 'Authorization', 'apiKey', 'cvc', 'x-api-key'])(
  'incomplete JSON does not show the value of "%s"',
  (name) => {
    expect(debugOf(`{"id":"p1","${name}":"hidden \\" thing","a":"b`)).toBe(
      `attempt 1: GET https://h/p: 200 (5 ms)\n< {"id":"p1","${name}":"[redacted]","a":"b`,
    )
    expect(debugOf(`{"id":"p1","${name}":"hidden thi`)).not.toContain('hidden')
    expect(debugOf(`{"${name}":737123,`)).not.toContain('737123')
  },
)
