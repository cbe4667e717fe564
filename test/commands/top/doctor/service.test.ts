import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/client/http/transport-port.ts'
import type { FailureReason } from '../../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { SHOP, useDoctor } from './use-doctor.ts'

const doctor = useDoctor()
const { diagnose, finding } = doctor

describe('--online', () => {
  const answering = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
    env: SHOP,
    service: () => jsonAnswer(status, { data: [] }, headers),
  })

  test('reads the service once', async () => {
    const { requests, exitCode, findings } = await diagnose(
      '--online',
      answering(200, { date: doctor.bench.clock.now.toUTCString() }),
    )
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'GET', url: 'https://api.example.com/payments?limit=1' })
    expect(findings).toContainEqual({
      check: 'service',
      status: 'ok',
      says: 'responds with 200, and accepts the key',
    })
    expect(findings).toContainEqual({ check: 'clock', status: 'ok', says: 'agrees with the service' })
  })

  test.each([
    [302, 'problem', 'it has moved'],
    [401, 'problem', 'refused'],
    [403, 'warning', 'may not list'],
    [404, 'warning', 'no list of payments'],
    [422, 'warning', 'responds with 422'],
    [303, 'warning', 'the service has a problem'],
    [408, 'warning', 'the service has a problem'],
    [503, 'warning', 'the service has a problem'],
  ])('status %i is a %s', async (status, kind, says) => {
    const found = await finding('service', '--online', answering(status))
    expect(found).toMatchObject({
      status: kind,
      says: expect.stringContaining(says),
      remedy: expect.any(String),
    })
  })

  test.each([
    [300, 'warning', '300 s behind'],
    [-300, 'warning', '300 s ahead of'],
    [60, 'ok', 'agrees with the service'],
  ])('compares the clocks: service %i s ahead is %s', async (seconds, status, says) => {
    const date = new Date(doctor.bench.clock.now.getTime() + seconds * 1000).toUTCString()
    expect(await finding('clock', '--online', answering(200, { date }))).toMatchObject({
      status,
      says: expect.stringContaining(says),
    })
  })

  test('a service on this machine that is ahead is probably a sandbox whose clock was advanced', async () => {
    const date = new Date(doctor.bench.clock.now.getTime() + 7_200_000).toUTCString()
    const env = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: 'http://127.0.0.1:4010' }
    const found = await finding('clock', '--online', { ...answering(200, { date }), env })
    expect(found?.remedy).toContain('pay sandbox clock show')
  })

  test('skips the clock check if the response has no date', async () => {
    expect(await finding('clock', '--online', answering(200))).toMatchObject({ status: 'skipped' })
  })

  test.each([
    'dns',
    'refused',
    'unreachable',
    'connect-timeout',
    'timeout',
    'tls',
    'proxy',
    'cut',
  ] satisfies readonly FailureReason[])('a failed call (%s) is a problem with a remedy', async (reason) => {
    const service = () => {
      throw new TransportFailure(reason, false, `it is ${reason}`)
    }
    const found = await finding('service', '--online', { env: SHOP, service })
    expect(found).toMatchObject({
      status: 'problem',
      says: `not reached: it is ${reason}`,
      remedy: expect.any(String),
    })
  })

  test('does not call the embedded sandbox', async () => {
    expect(await diagnose('--sandbox --online')).toMatchObject({ exitCode: 0, requests: [] })
  })
})
