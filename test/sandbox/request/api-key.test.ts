import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/table.ts'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'

const samplePath = (path: string) => path.replace(/\{\w+\}/g, 'x')

describe('keys', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    const service = await openService()
    const statusWith = async (key: string) =>
      (await service.call(operation.method, samplePath(operation.path), undefined, { key })).status
    expect(await statusWith('')).toBe(401)
    expect(await statusWith('sandbox_none')).toBe(401)
    expect([401, 403]).not.toContain(await statusWith('sandbox_all'))
    expect((await statusWith('sandbox_readonly')) === 403).toBe(operation.risk !== 'read')
    expect((await statusWith('sandbox_nobeta')) === 403).toBe(operation.beta)
  })

  test('sandbox_readonly reads and changes nothing', async () => {
    const service = await openService()
    const readonly = { key: 'sandbox_readonly' }
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    expect(await service.call('GET', `/payments/${id}`, undefined, readonly)).toMatchObject({ status: 200 })
    expect(await service.call('POST', `/payments/${id}/capture`, undefined, readonly)).toMatchObject(
      refusal(403, 'Forbidden'),
    )
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'AUTHORIZED' })
  })

  test('names the missing scope', async () => {
    const answer = await (
      await openService()
    ).call('POST', '/loyalty-transactions', {}, { key: 'sandbox_nobeta' })
    expect(at(answer.body, 'error', 'description')).toContain('loyalty-transactions:write')
  })
})
