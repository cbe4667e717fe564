import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../support/markdown.ts'
import { ROOT } from '../support/spawn-pay.ts'
import { ENTRIES, MAY_IMPORT } from '../structure/map.ts'
import { FILES, folderOf, mayImport } from '../structure/rooms.ts'

const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
const MERMAID = blocksOf(PAGE).find(({ language }) => language === 'mermaid')?.text ?? ''

interface Diagram {
  /** Rooms, as their labels name them. */
  readonly rooms: readonly string[]
  readonly arrows: readonly (readonly [from: string, to: string])[]
}

/** Nodes are `id["room<br/>..."]` and arrows `id --> id`, one on each line. */
function diagramOf(mermaid: string): Diagram {
  const labels = new Map(
    [...mermaid.matchAll(/^ *(\w+)\["([\w./-]+)/gm)].map(([, id = '', room = '']) => [id, room]),
  )
  const roomOf = (id: string): string => labels.get(id) ?? `${id}, which has no box`
  return {
    rooms: [...labels.values()],
    arrows: [...mermaid.matchAll(/^ *(\w+) --> (\w+)$/gm)].map(([, from = '', to = '']) => [
      roomOf(from),
      roomOf(to),
    ]),
  }
}

/** The drawn room that a file belongs to: the longest that contains it. */
function drawnRoomOf(path: string, { rooms }: Diagram): string | undefined {
  return rooms
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .toSorted((one, other) => other.length - one.length)[0]
}

const missingRooms = ({ rooms }: Diagram): readonly string[] =>
  rooms.filter((room) => !FILES.some((path) => path === room || path.startsWith(`${room}/`)))

const undrawnRooms = ({ rooms }: Diagram): readonly string[] =>
  [...new Set([...FILES.filter((path) => path.includes('/')).map(folderOf), ...ENTRIES])].filter(
    (room) => !rooms.includes(room),
  )

function forbiddenArrows(diagram: Diagram): readonly string[] {
  const files = new Map<string | undefined, string[]>()
  for (const path of FILES) {
    const room = drawnRoomOf(path, diagram)
    files.set(room, [...(files.get(room) ?? []), path])
  }
  const filesOf = (room: string) => files.get(room) ?? []
  return diagram.arrows
    .filter(([from, to]) => !filesOf(from).some((one) => filesOf(to).some((other) => mayImport(one, other))))
    .map(([from, to]) => `${from} --> ${to}`)
}

/** What the map allows between two drawn rooms, and no path of arrows leads to. */
function undrawnArrows(diagram: Diagram): readonly string[] {
  const reach = (from: string, seen: Set<string>): ReadonlySet<string> => {
    for (const [start, to] of diagram.arrows) {
      if (start !== from || seen.has(to)) continue
      seen.add(to)
      reach(to, seen)
    }
    return seen
  }
  const undrawn = Object.entries(MAY_IMPORT).flatMap(([room, targets]) => {
    const from = drawnRoomOf(room, diagram)
    if (from === undefined) return []
    const reached = reach(from, new Set([from]))
    return targets
      .map((target) => drawnRoomOf(target, diagram))
      .filter((to) => to !== undefined && !reached.has(to))
      .map((to) => `${from} --> ${to}`)
  })
  return [...new Set(undrawn)]
}

describe('the diagram', () => {
  const diagram = diagramOf(MERMAID)

  test('has rooms and arrows', () => {
    expect(diagram.rooms.length).toBeGreaterThan(10)
    expect(diagram.arrows.length).toBeGreaterThan(diagram.rooms.length)
  })
  test('draws rooms that exist', () => expect(missingRooms(diagram)).toEqual([]))
  test('draws every folder of src, and the entries', () => expect(undrawnRooms(diagram)).toEqual([]))
  test('draws only what test/structure/map.ts allows', () => expect(forbiddenArrows(diagram)).toEqual([]))
  test('leads to every room that the map allows', () => expect(undrawnArrows(diagram)).toEqual([]))
})

describe('the checks notice', () => {
  const planted = (from: string, to: string): Diagram => {
    expect(MERMAID).toContain(from)
    return diagramOf(MERMAID.replace(from, to))
  }

  test('an arrow that the map forbids', () => {
    expect(forbiddenArrows(planted('  http --> json', '  http --> json\n  http --> calls'))).toEqual([
      'http --> calls',
    ])
  })
  test('an arrow that is missing', () => {
    expect(undrawnArrows(planted('  config --> json\n', ''))).toEqual(['config --> json'])
  })
  test('an arrow to a box that is not there', () => {
    expect(forbiddenArrows(planted('  http --> json', '  http --> nowhere'))).toEqual([
      'http --> nowhere, which has no box',
    ])
  })
  test('a room that does not exist', () => {
    expect(missingRooms(planted('http["http<', 'http["wire<'))).toEqual(['wire'])
  })
  test('a folder that is not drawn', () => {
    expect(undrawnRooms(planted('http["http<', 'http["calls<'))).toEqual(['http'])
  })
})
