import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { readSource } from './source-facts.ts'
import type { SourceFacts } from './source-facts.ts'

import { ENTRIES, EVERYWHERE, MAY_IMPORT } from './map.ts'

/** A file that is longer is two files. */
export const MOST_LINES = 250

export const SRC = fileURLToPath(new URL('../../src', import.meta.url))
export const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path))
  .toSorted()
export const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')
export const FACTS: ReadonlyMap<string, SourceFacts> = new Map(
  FILES.map((path) => [path, readSource(path, textOf(path))]),
)

/** Every import of one of our files of code, as `[importing file, imported file]`. */
export const OWN_IMPORTS = [...FACTS].flatMap(([path, { imports }]) =>
  imports
    .filter((name) => name.startsWith('.') && !name.endsWith('.yaml'))
    .map((name) => [path, join(dirname(path), name)] as const),
)

export const folderOf = (path: string): string => path.split('/')[0] ?? ''
/** `payment` of `commands/payment/refund.ts`; undefined for files outside the nouns' folders. */
const nounOf = (path: string): string | undefined => /^commands\/([^/]+)\//.exec(path)?.[1]

/** The room of a file: itself where the map names it, else its folder. All nouns are one room. */
export function roomOf(path: string): string {
  if (Object.hasOwn(MAY_IMPORT, path)) return path
  return folderOf(path) === 'commands' ? 'commands' : path.includes('/') ? dirname(path) : path
}

export function mayImport(from: string, to: string): boolean {
  if (ENTRIES.includes(from) || EVERYWHERE.includes(to)) return true
  if (from === 'version.ts') return to === '../package.json'
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === target) return room !== 'commands' || mayMeet(from, to)
  if (room === 'commands' && nounOf(from) === 'sandbox' && /^(?:views\/)?sandbox\b/.test(target)) return true
  return (MAY_IMPORT[room] ?? []).includes(target)
}

/** Among commands: the tree knows all; a noun knows itself and what the nouns share, which knows no noun. */
function mayMeet(from: string, to: string): boolean {
  if (from === 'commands/tree.ts') return true
  return nounOf(to) === undefined ? to !== 'commands/tree.ts' : nounOf(to) === nounOf(from)
}

/** Every group of nodes that lead to each other, each in the order in which it was found; none where there is no circle. */
export function circlesIn(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  const reach = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const open = [...(next.get(start) ?? [])]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      open.push(...(next.get(at) ?? []))
    }
    return seen
  }
  const reached = new Map([...next.keys()].map((node) => [node, reach(node)]))
  const circles: (readonly string[])[] = []
  for (const [node, seen] of reached) {
    if (!seen.has(node) || circles.some((circle) => circle.includes(node))) continue
    circles.push([...seen].filter((other) => reached.get(other)?.has(node) === true))
  }
  return circles
}
