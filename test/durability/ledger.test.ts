import { expect, test } from 'vitest'
import { describePowerCuts, expectAllKept, recorded, SCENARIOS } from './ledger-power-cuts.ts'
import { createWorld } from './ledger-world.ts'
import { cutsOf, fewerOf, withoutSyncs } from './power-cuts.ts'
import { canTrace } from './strace.ts'

// ledger.deep.test.ts makes every cut.
describePowerCuts((cuts) => fewerOf(cuts, 4))

const DROPPED: readonly (readonly [string, (path: string) => boolean])[] = [
  ['everything', () => true],
  ['the database', (path) => path.endsWith('/ledger.db')],
  ['its journal', (path) => path.endsWith('/ledger.db-journal')],
]

test.skipIf(!canTrace)('the checks notice missing syncs', async () => {
  const scenario = SCENARIOS.find(({ says }) => says === 'a second write')
  if (scenario === undefined) throw new Error('no scenario')
  const world = await createWorld()
  const recording = await recorded(world, scenario)
  for (const [what, isDropped] of DROPPED) {
    const without = withoutSyncs(recording, isDropped)
    const checked = expectAllKept(world, scenario, without, fewerOf(cutsOf(without), 30))
    await expect(checked, what).rejects.toThrow(/^a power cut /)
  }
})
