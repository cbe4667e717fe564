// Bundles src/ into dist/. Usage: node scripts/build.mjs [--quiet]
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { inputOptions, outputOptions } from '../rolldown.config.mjs'
import { buildLibrary } from '../rolldown.library.config.mjs'
import { buildPages } from '../rolldown.web.config.mjs'
import { compileAhead, compiledFile } from './compile-ahead.mjs'
import { prerender } from './prerender.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
// Built in its own folder, then moved, so two builds at once never mix their files.
const fresh = join(root, `dist.tmp-${process.pid}`)
const retired = join(root, `dist.old-${process.pid}`)

const started = performance.now()
try {
  const bundle = await rolldown(inputOptions)
  const { output } = await bundle.write({ ...outputOptions, dir: fresh })
  await bundle.close()
  const library = await buildLibrary(rolldown, fresh)
  const pages = await buildPages(rolldown, join(fresh, 'web'))
  await writeFile(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licensesOf([...output, ...library, ...pages]))
  prerender(fresh)
  // An identical build stays in place: a program may be running from it.
  if (contentsOf(fresh) !== contentsOf(dist)) {
    compileAhead(fresh)
    await replaceDist()
  } else if (!existsSync(compiledFile(dist))) compileAhead(dist)
  const bytes = output.reduce(
    (sum, part) => sum + ('code' in part ? part.code.length : part.source.length),
    0,
  )
  if (!process.argv.includes('--quiet'))
    console.log(
      `dist: ${output.length} files, ${Math.round(bytes / 1024)} kB, ${Math.round(performance.now() - started)} ms`,
    )
} finally {
  await rm(fresh, { recursive: true, force: true })
  await rm(retired, { recursive: true, force: true })
}

/** Moves the fresh folder to `dist`. If another build does the same at this moment, the last one wins. */
async function replaceDist() {
  for (let turn = 0; ; turn += 1) {
    await rename(dist, retired).catch(ignore('ENOENT'))
    const isDone = await rename(fresh, dist).then(() => true, ignore('ENOTEMPTY', 'EEXIST', 'EPERM'))
    if (isDone === true) return
    if (turn >= 20) throw new Error("can't replace dist/: is another program writing into it?")
    await rm(retired, { recursive: true, force: true })
  }
}

/** Every file with its contents, as one text to compare; empty without a folder. V8's code cache differs in each build. */
function contentsOf(folder) {
  if (!existsSync(folder)) return ''
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && basename(entry.parentPath) !== 'code-cache')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
  return JSON.stringify(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error
  }
}

/** The name, version and licence of every package that has code in the bundle. */
function licensesOf(output) {
  const folders = new Set()
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    for (const id of chunk.moduleIds) {
      const folder = packageFolder(id)
      if (folder !== undefined) folders.add(folder)
    }
  }
  const entries = [...folders].map(licenseEntry).toSorted((a, b) => a.title.localeCompare(b.title, 'en'))
  return entries.map(({ title, text }) => `${title}\n${'-'.repeat(title.length)}\n\n${text}\n`).join('\n\n')
}

function packageFolder(id) {
  const path = id.replace(/^\0/, '')
  if (!path.includes('node_modules')) return undefined
  for (let folder = dirname(path); folder.includes('node_modules'); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    // Some packages contain nested manifests that only set "type".
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined) return folder
  }
  return undefined
}

function licenseEntry(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const text =
    texts.length > 0 ? texts.join('\n\n') : `License: ${license} (the package contains no licence text)`
  return { title: `${name} ${version} (${license})`, text }
}
