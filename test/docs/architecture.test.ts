import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/spawn-pay.ts'
import { LEAVES, ROOMS } from '../structure/rooms.ts'

const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

/** `` `api`, leaves, types of `rows` `` as the table of the tests has it. */
function roomsIn(cell: string): readonly string[] {
  return cell.split(', ').flatMap((words) => {
    if (words === 'leaves') return LEAVES
    const name = /`(\w+)`/.exec(words)?.[1]
    if (name === undefined) return []
    return [words.startsWith('types of ') ? `type ${name}` : name]
  })
}

test('the table of rooms is the one that the tests enforce', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| .* \| ([^|]*) \|$/gm)]
  const drawn = rows.map(([, room = '', cell = '']) => [room, roomsIn(cell).toSorted()] as const)
  const enforced = Object.entries(ROOMS).map(([room, names]) => [room, names.toSorted()])
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(enforced))
})
