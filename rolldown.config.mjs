import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

const root = fileURLToPath(new URL('.', import.meta.url))

/** What a payment command loads, with everything that these import statically. */
const START_UP = [
  'src/main.ts',
  'src/commands/payment/get.ts',
  'src/commands/payment/create.ts',
  'src/commands/payment/capture.ts',
  'src/commands/payment/refund.ts',
  'src/commands/payment/cancel.ts',
  'src/client/http/transport.ts',
  'src/client/ledger/ledger.ts',
  'src/client/ledger/ledger-file.ts',
  'src/client/ledger/process-start.ts',
  'src/cli/account/open-ledger.ts',
  'src/store/sqlite.ts',
].map((path) => join(root, path))

const missing = START_UP.filter((path) => !existsSync(path))
if (missing.length > 0) throw new Error(`START_UP lists files that don't exist: ${missing.join(', ')}`)

export const inputOptions = {
  input: { main: 'src/main.ts' },
  cwd: root,
  // The entry exports nothing; this lets other chunks share its modules.
  preserveEntrySignatures: 'allow-extension',
  platform: 'node',
  external: ['@photostructure/sqlite', /^node:/],
  transform: { target: 'node20' },
  moduleTypes: { '.yaml': 'text' },
  // A module that `main` holds anyway is still imported dynamically where only some calls run it.
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    {
      // Its probe for Cloudflare makes a Response, for which Node 20 loads all of undici: 25 ms.
      name: 'without-cloudflare',
      transform: {
        filter: { id: /node_modules[\\/]pg[\\/]lib[\\/]stream\.js$/ },
        handler: (code) => code.replace("typeof Response === 'function'", 'false'),
      },
    },
    {
      // V8 holds a text of ASCII in half the space. bin/pay.cjs reads the program as such.
      name: 'ascii',
      generateBundle(_, { 'main.cjs': main }) {
        if (main !== undefined) main.code = main.code.replaceAll(/[\u0080-\uffff]/g, escapeUnit)
      },
    },
  ],
}

/**
 * CommonJS, because an ES module as entry adds 3 ms to every start. Split along the dynamic imports, with everything a
 * payment command loads in one file (docs/decisions/0022). Not minified, so that stack traces from users stay readable.
 */
export const outputOptions = {
  dir: 'dist',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: {
    groups: [
      {
        name: 'main',
        test: (id) => START_UP.includes(id),
      },
    ],
  },
  comments: { legal: false, annotation: false, jsdoc: false },
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For `npm run dev`, which rebuilds on every change; `npm run build` goes through scripts/build.mjs. */
export default defineConfig({
  ...inputOptions,
  plugins: [
    ...inputOptions.plugins,
    {
      // The help pages of the last build may be out of date.
      name: 'without-old-help',
      writeBundle: () =>
        ['help', 'help-short'].forEach((name) => rmSync(`dist/${name}.txt`, { force: true })),
    },
  ],
  output: outputOptions,
})
