import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

describe('whoami', () => {
  test('sends nothing and names the source of each value', async () => {
    await storeProfile(bench, { mode: 'live', words: ['--api-version', '2.0'] })
    const me = await bench.runPay('whoami --json', { env: { PAY_API_VERSION: '2.2' } })
    expect(me).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(me.stdout)).toMatchObject({
      profile: { value: 'shop', source: 'stored default' },
      mode: { value: 'live', source: 'profile shop' },
      baseUrl: { value: 'https://api.example.com', source: 'profile shop' },
      apiKey: { value: '••••abcd', source: 'profile shop' },
      apiVersion: { value: '2.2', source: 'environment PAY_API_VERSION' },
    })
  })
})
