import { expect } from 'vitest'
import { toJson } from '../service.ts'
import type { CallOptions, Service } from '../service.ts'

/** Calls a control. Methods of the service would check the response against the schema of an operation. */
export async function control(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
) {
  const { key = 'sandbox_all', headers = {}, text } = options
  const answer = await service.handle({
    method,
    url: path,
    headers: { ...(key === '' ? {} : { 'x-api-key': key }), ...headers },
    body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
  })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'x-request-id': expect.stringMatching(/./),
  })
  return { ...answer, body: toJson(JSON.parse(answer.body)) }
}
