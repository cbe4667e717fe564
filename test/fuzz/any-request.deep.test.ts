import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openService } from '../sandbox/service.ts'
import { expectServiceResponse } from './expect-response.ts'
import { requests } from './requests.ts'
import type { FuzzedRequest } from './requests.ts'
import { runsOf } from './run-count.ts'
import { fillStore, openStore } from './stores.ts'

/** After so many requests the store is filled again: comparing it stays cheap, and its states stay varied. */
const ROUND = 200

test('any request gets a response in the documented form, and a refused one changes nothing', async () => {
  const { runs, seed } = runsOf(1_000)
  const service = await openService()
  for (let done = 0; done < runs; done += ROUND) {
    const known = await fillStore(service)
    const store = openStore(service.folder)
    const property = fc.asyncProperty(requests(known), async (request) => {
      const before = store.contents()
      const answer = await service.sandbox.handle(inProcess(request))
      expectServiceResponse(answer)
      if (answer.status !== 200) expect(store.contents()).toBe(before)
    })
    await fc.assert(property, {
      numRuns: Math.min(ROUND, runs - done),
      seed: seed + done,
      endOnFailure: true,
    })
    store.close()
  }
  expect(Object.keys(Object.prototype)).toEqual([])
})

const inProcess = ({ method, target, headers, body }: FuzzedRequest) => ({
  method,
  url: target,
  headers,
  body: body?.toString('utf8'),
})
