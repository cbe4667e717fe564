import { setTimeout } from 'node:timers/promises'
import { updateProfiles } from '../../../src/client/config/update-profiles.ts'

/** Runs as a separate process: stores `COUNT` profiles named `NAME-0`, `NAME-1`, … and prints each stored name. */
const [folder = '', name = '', count = '1'] = process.argv.slice(2)

const system = { uid: process.getuid?.(), sleep: (ms: number) => setTimeout(ms) }

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
