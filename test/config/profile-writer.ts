import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { updateProfiles } from '../../src/config/update-profiles.ts'

/** A process of its own: stores `COUNT` profiles called `NAME-0`, `NAME-1`, … and tells each one that is stored. */
const [folder = '', name = '', count = '1'] = process.argv.slice(2)

const system = { uid: process.getuid?.(), newId: randomUUID, sleep: (ms: number) => setTimeout(ms) }

for (let number = 0; number < Number(count); number++) {
  const added = `${name}-${number}`
  const profile = {
    name: added,
    baseUrl: 'https://api.example.com',
    mode: 'live',
    modeIsGuess: true,
    apiKey: `key_of_${added}`.padEnd(2000, 'x'),
    limits: { readOnly: false },
  } as const
  await updateProfiles(
    folder,
    (file) => ({ ...file, profiles: new Map([...file.profiles, [added, profile]]) }),
    system,
  )
  process.stdout.write(`${added}\n`)
}
