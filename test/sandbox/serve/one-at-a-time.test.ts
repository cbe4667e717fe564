import { expect, test } from 'vitest'
import { LONG_BODY } from '../../../src/sandbox/serve/limits.ts'
import { oneAtATime } from '../../../src/sandbox/serve/exchange.ts'
import type { ServiceRequest } from '../../../src/sandbox/request/service-request.ts'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import { serve } from './over-http.ts'
import { openRaw, requestText } from './raw-client.ts'
import { OK } from './scripted-sandbox.ts'

/** Records requests as they arrive; answers requests with a body when the test says so. */
function recording() {
  const arrived: string[] = []
  const open: (() => void)[] = []
  const handle = ({ url, body }: ServiceRequest): Promise<ServiceResponse> => {
    arrived.push(url)
    return body === undefined ? Promise.resolve(OK) : new Promise((go) => open.push(() => go(OK)))
  }
  return { arrived, open, handle }
}

const long = JSON.stringify('x'.repeat(LONG_BODY))

test('long bodies are processed one at a time, with short ones in between', async () => {
  const sandbox = recording()
  const { port } = await serve(sandbox)
  const clients = await Promise.all([openRaw(port), openRaw(port), openRaw(port)])
  const [first, second, short] = clients
  const ask = async () => {
    const before = short?.received().length ?? 0
    short?.send(requestText('GET', '/short'))
    while (short?.received().length === before) await new Promise((go) => short.socket.once('data', go))
  }
  first?.send(requestText('POST', '/first', long))
  while (sandbox.open.length === 0) await ask()
  second?.send(requestText('POST', '/second', long))
  for (let round = 0; round < 20; round += 1) await ask()
  expect(sandbox.arrived).not.toContain('/second')
  sandbox.open.shift()?.()
  await first?.until(/200/)
  while (sandbox.open.length === 0) await ask()
  expect(sandbox.arrived).toContain('/second')
  sandbox.open.shift()?.()
  await second?.until(/200/)
})

test('failing work does not hold up the next', async () => {
  const run = oneAtATime()
  const failed = run(() => Promise.reject(new Error('no')))
  const done = run(() => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('no')
  expect(await done).toBe('done')
})
