// Writes docs/reference/commands and man from the command specs. Usage: npm run docs
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manPages } from './man-pages.mjs'
import { referencePages } from './reference-pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const json = execFileSync(process.execPath, [join(root, 'dist/main.cjs'), 'commands', '-o', 'json'], {
  env: {},
  encoding: 'utf8',
})
const described = JSON.parse(json)

for (const { folder, pages } of [
  { folder: join(root, 'docs/reference/commands'), pages: referencePages(described) },
  { folder: join(root, 'man'), pages: manPages(described) },
]) {
  mkdirSync(folder, { recursive: true })
  // Remove pages of commands that were removed.
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
  console.log(`${folder}: ${pages.size} pages`)
}

// npm installs only man pages that the manifest names.
const manifest = join(root, 'package.json')
const { man: _, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'))
const man = [...manPages(described).keys()].toSorted().map((name) => `./man/${name}`)
const entries = Object.entries(rest).flatMap((entry) =>
  entry[0] === 'bin' ? [['man', man], entry] : [entry],
)
writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
