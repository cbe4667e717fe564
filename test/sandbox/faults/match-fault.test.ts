import { describe, expect, test } from 'vitest'
import type { ServiceResponse } from '../../../src/sandbox/answers/response.ts'
import type { NewFault } from '../../../src/sandbox/faults/fault.ts'
import { newFolder, openService, settledPayment, addFault, faultsIn } from '../service.ts'
import type { Service } from '../service.ts'
import { send } from './sending.ts'

const isHit = ({ deliveryFault }: ServiceResponse) => deliveryFault !== undefined

/** Shows which of `count` requests met a fault, one character each. */
async function hits(service: Service, count: number): Promise<string> {
  const replies = await Promise.all(Array.from({ length: count }, () => send(service, 'GET', '/payments')))
  return replies.map((reply) => (isHit(reply) ? 'x' : '.')).join('')
}

test('a fault matches only its method and path', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  await addFault(service, { on: 'GET /payments/*' })
  const hit = async (method: string, url: string) =>
    isHit(await send(service, method, url, undefined, `${method} ${url}`))
  expect(await hit('GET', `/payments/${id}`)).toBe(true)
  expect(await hit('GET', `/payments/${id}/`)).toBe(true)
  expect(await hit('GET', `/payments/${id}?x=/y`)).toBe(true)
  expect(await hit('GET', '/payments')).toBe(false)
  expect(await hit('DELETE', `/payments/${id}`)).toBe(false)
  expect(await hit('POST', `/payments/${id}/refund`)).toBe(false)
  expect(await faultsIn(service)).toMatchObject([{ matched: 3, fired: 3 }])
})

test('a request meets the first due fault, and later faults do not count it', async () => {
  const service = await openService()
  await addFault(service, { do: 'status=500', times: 1 })
  await addFault(service, { on: 'POST /**', do: 'status=501' })
  await addFault(service, { do: 'status=502', skip: 1 })
  const statuses = []
  for (let count = 0; count < 3; count += 1) statuses.push((await send(service, 'GET', '/payments')).status)
  expect(statuses).toEqual([500, 200, 502])
  expect(await faultsIn(service)).toMatchObject([
    { matched: 3, fired: 1 },
    { matched: 0, fired: 0 },
    { matched: 2, fired: 1 },
  ])
})

test.each([
  ['every one', {}, 'xxxxxx'],
  ['the first two', { times: 2 }, 'xx....'],
  ['all but the first two', { skip: 2 }, '..xxxx'],
  ['the third', { skip: 2, times: 1 }, '..x...'],
  ['none, when it skips them all', { skip: 6 }, '......'],
])('it meets %s', async (_, which, pattern) => {
  const service = await openService()
  await addFault(service, which)
  expect(await hits(service, 6)).toBe(pattern)
  const [fault] = await faultsIn(service)
  expect(fault).toMatchObject({ matched: 6, fired: pattern.split('x').length - 1 })
})

describe('a rate', () => {
  async function pattern(which: Partial<NewFault>, count = 1000, folder = newFolder()): Promise<string> {
    const service = await openService(folder)
    await addFault(service, which)
    return hits(service, count)
  }
  const share = (text: string) => (text.split('x').length - 1) / text.length

  test.each([
    [0.05, 1],
    [0.2, 7],
    [0.5, 2 ** 32 - 1],
    [0.9, 0],
  ])('of %d with seed %i meets about its share of a thousand requests', async (rate, seed) => {
    expect(Math.abs(share(await pattern({ rate, seed })) - rate)).toBeLessThan(0.04)
  })

  test('with one seed meets the same requests in every folder', async () => {
    const first = await pattern({ rate: 0.2, seed: 7 }, 200)
    expect(await pattern({ rate: 0.2, seed: 7 }, 200)).toBe(first)
    expect(await pattern({ rate: 0.2, seed: 8 }, 200)).not.toBe(first)
    // The requests of a lower rate are among those of a higher one.
    const more = await pattern({ rate: 0.5, seed: 7 }, 200)
    expect(first.split('').every((sign, number) => sign === '.' || more[number] === 'x')).toBe(true)
  })

  test('continues after reopening and across processes', async () => {
    const whole = await pattern({ rate: 0.2, seed: 7 }, 300)
    const folder = newFolder()
    const first = await openService(folder, 1)
    await addFault(first, { rate: 0.2, seed: 7 })
    const second = await openService(folder, 2)
    const parts = [await hits(first, 100), await hits(second, 100)]
    await first.sandbox.close()
    await second.sandbox.close()
    parts.push(await hits(await openService(folder, 3), 100))
    expect(parts.join('')).toBe(whole)
  })

  test('applies before times, which counts only requests that met the fault', async () => {
    const text = await pattern({ rate: 0.2, seed: 7, times: 3, skip: 10 }, 200)
    expect(text.slice(0, 10)).toBe('..........')
    expect(text.split('x')).toHaveLength(4)
  })
})

test("sandboxes on one folder share a fault's counters", async () => {
  const folder = newFolder()
  const services = [await openService(folder, 1), await openService(folder, 2)] as const
  await addFault(services[0], { times: 5 })
  const seen = await Promise.all(services.map((service) => hits(service, 20)))
  expect(seen.join('').split('x')).toHaveLength(6)
  expect(await faultsIn(services[1])).toMatchObject([{ matched: 40, fired: 5 }])
})
