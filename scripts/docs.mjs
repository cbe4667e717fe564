// Writes docs/reference/commands and the list of man pages in package.json from the command specs (npm run docs). With `man`,
// writes the man pages instead, as npm does when it packs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manPages } from './man-pages.mjs'
import { referencePages } from './reference-pages.mjs'
import { skillPage } from './skill-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pay = (...words) =>
  execFileSync(process.execPath, [join(root, 'dist/main.cjs'), ...words], { env: {}, encoding: 'utf8' })
const described = JSON.parse(pay('commands', '-o', 'json'))

if (process.argv[2] === 'man') write(join(root, 'man'), manPages(described))
else {
  write(join(root, 'docs/reference/commands'), referencePages(described))
  listManPages()
  writeFileSync(join(root, 'SKILL.md'), skillPage(pay('help', 'agents')))
}

function write(folder, pages) {
  mkdirSync(folder, { recursive: true })
  // Remove pages of commands that were removed.
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
}

/** npm installs only man pages that the manifest names. */
function listManPages() {
  const manifest = join(root, 'package.json')
  const { man: _, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'))
  const man = [...manPages(described).keys()].toSorted().map((name) => `./man/${name}`)
  const entries = Object.entries(rest).flatMap((entry) =>
    entry[0] === 'bin' ? [['man', man], entry] : [entry],
  )
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
}
