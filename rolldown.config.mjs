import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { plainShapes } from './scripts/plain-shapes.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))

const undici = (file) => new RegExp(`[\\\\/]undici[\\\\/]lib[\\\\/]${file.replaceAll('/', '[\\\\/]')}$`)
const absent = (what) => `() => { throw new Error('${what} is not part of this build') }`

/**
 * Parts of libraries that are loaded at start and never used here. `PAY_BUILD_WHOLE=1 npm run build` leaves everything
 * in, to measure or to rule this out. Together they take 5 of the 60 ms between Node and the first request (Node 20).
 */
const withoutUnusedParts = [
  // HTTP/2, with node:http2. It is switched off in src/http/undici-transport.ts.
  { id: undici('dispatcher/client-h2.js'), code: () => `module.exports = ${absent('HTTP/2')}` },
  // Bodies of fetch (FormData, Blob). We send text.
  { id: undici('web/fetch/body.js'), code: () => `module.exports = { extractBody: ${absent('fetch')} }` },
  // Commander runs other programs as subcommands; pay has none. node:child_process brings node:dgram and more.
  {
    id: /[\\/]commander[\\/]lib[\\/]command\.js$/,
    code: (code) => replaceOnce(code, "require('node:child_process')", '{}'),
  },
].map(({ id, code }) => ({
  name: `without-unused-parts ${id.source}`,
  transform: {
    filter: { id },
    handler: (source) => (process.env['PAY_BUILD_WHOLE'] === '1' ? undefined : code(source)),
  },
}))

/**
 * V8 keeps a file with a single sign beyond ASCII as two bytes a character, and takes 7 of 350 million instructions
 * longer to compile it. Escapes say the same in texts, regular expressions and names.
 */
const inAscii = {
  name: 'in-ascii',
  // The last step: what comes after renderChunk writes texts anew, and unescaped.
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
  },
}

/**
 * These chunks are loaded by the first use of what is in them, and not with the modules that import them: most calls
 * build no schema (src/api/plain-shape.ts) and meet no number that JSON.parse would change. An import in the sources can
 * be at once, or later and asynchronous, but not this. Nothing may use them while modules load: test/start-up.test.ts.
 */
const inSources = (files) => new RegExp(`src[\\\\/](?:${files.join('|').replaceAll('/', '[\\\\/]')})\\.ts$`)
const LOADED_WHEN_USED = [
  {
    name: 'schemas',
    test: /node_modules[\\/]zod[\\/](?!.*json-schema)|src[\\/]api[\\/](?:schema|query|rules)\.ts$/,
  },
  { name: 'lossless', test: /node_modules[\\/]lossless-json[\\/]/ },
  {
    // Errors and doubts, what a person is asked and shown before a call, and ways to write one down that scripts seldom use.
    name: 'seldom',
    test: inSources([
      'suggest',
      'api/(customer|inspect|order|payment-method|status-reason)',
      'cli/(attempt-lines|data|dry-run|fixed-fields|flag-values|money-of-payment|next-steps|tell-error|ticket|validate)',
      'http/(effect|envelope|failed-end|late|recover|refusal)',
      'ledger/(blocked|move-beside|record-words|turn)',
      'output/(error-text|live-banner)',
      'views/(preview|preview-plan)',
    ]),
    includeDependenciesRecursively: false,
  },
]

const loadedWhenUsed = {
  name: 'loaded-when-used',
  renderChunk: (code) => LOADED_WHEN_USED.reduce((text, { name }) => loadWhenUsed(text, name), code),
}

function loadWhenUsed(code, name) {
  const chunk = `require_${name}`
  const load = new RegExp(`^const ${chunk} = (require\\("[^"]*${name}-[^"]*"\\));$`, 'm')
  // In brackets, since `new a().B()` makes an a.
  const changed = code
    .replaceAll(new RegExp(`\\b${chunk}\\.(?=\\w)`, 'g'), `(${chunk}()).`)
    .replace(load, `let loaded_${name};\nconst ${chunk} = () => (loaded_${name} ??= $1);`)
  if (new RegExp(`\\b${chunk}\\b(?!\\(\\)\\)| = \\(\\) =>)`).test(changed))
    throw new Error(`${chunk} is used in a way that is not known here`)
  return changed
}

function replaceOnce(text, from, to) {
  // A new version of the library that is written otherwise has to be looked at.
  if (text.split(from).length !== 2) throw new Error(`expected exactly one ${from}`)
  return text.replace(from, to)
}

export const inputOptions = {
  input: { main: 'src/main.ts' },
  cwd: root,
  // The one entry exports nothing: what other chunks use of it is added.
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: ['@photostructure/sqlite', /^node:/],
  transform: { target: 'node20' },
  plugins: [...withoutUnusedParts, plainShapes(root), loadedWhenUsed, inAscii],
}

/**
 * CommonJS, since an ES module as entry costs 3 ms at start. Split along the dynamic imports, since one file for all
 * costs more than it saves; but what every call of a payment command loads is in one, since each file takes as long to
 * find, read and run as 10 kB take to compile. Not minified: a stack trace that a user sends in has to be readable, and
 * it gains nothing that could be measured.
 */
export const outputOptions = {
  dir: 'dist',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: {
    groups: [
      ...LOADED_WHEN_USED.map((group) => ({ ...group, priority: 1 })),
      // With all that they import; not what they load later.
      {
        name: 'main',
        test: /src[\\/](?:main|commands[\\/]payment[\\/](?:get|create|capture|refund|cancel)|http[\\/]transport|ledger[\\/](?:ledger|real-disk|process-start))\.ts$/,
      },
    ],
  },
  comments: { legal: false, annotation: false, jsdoc: false },
}

/** For `npm run dev`, which rebuilds on every change; `npm run build` goes through scripts/build.mjs. */
export default defineConfig({
  ...inputOptions,
  // The page that the last build made may no longer be what the program says.
  plugins: [
    ...inputOptions.plugins,
    {
      name: 'without-old-help',
      writeBundle: () =>
        ['help', 'help-short'].forEach((name) => rmSync(`dist/${name}.txt`, { force: true })),
    },
  ],
  output: outputOptions,
})
