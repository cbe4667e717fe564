import { expect, test } from 'vitest'
import { describePowerCuts, expectAllKept, recorded, scenarioNamed } from './ledger-power-cuts.ts'
import { createWorld } from './ledger-world.ts'
import { cutsOf, fewerOf, withoutSyncs } from './power-cuts.ts'
import { canTrace } from './strace.ts'

// ledger.deep.test.ts makes every cut of every scenario.
describePowerCuts(
  (cuts) => fewerOf(cuts, 4),
  [
    'the first write on a machine',
    'a second write',
    'a write whose response is lost',
    'a write after a kill before the outcome was committed',
    'resolving a write',
  ],
)

const DROPPED: readonly (readonly [string, (path: string) => boolean])[] = [
  ['everything', () => true],
  ['the database', (path) => path.endsWith('/ledger.db')],
  ['its journal', (path) => path.endsWith('/ledger.db-journal')],
]

test.skipIf(!canTrace)('the checks notice missing syncs', async () => {
  const scenario = scenarioNamed('a second write')
  const world = await createWorld()
  const recording = await recorded(world, scenario)
  for (const [what, isDropped] of DROPPED) {
    const without = withoutSyncs(recording, isDropped)
    const checked = expectAllKept(world, scenario, without, fewerOf(cutsOf(without), 30))
    await expect(checked, what).rejects.toThrow(/^a power cut /)
  }
})
