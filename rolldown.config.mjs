import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

export const inputOptions = {
  input: { main: 'src/main.ts' },
  cwd: fileURLToPath(new URL('.', import.meta.url)),
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
        // These, and everything they import statically.
        name: 'main',
        test: /src[\\/](?:main|commands[\\/]payment[\\/](?:get|create|capture|refund|cancel)|http[\\/]transport|ledger[\\/](?:ledger|ledger-file|process-start)|cli[\\/]account[\\/](?:open-ledger)|store[\\/]sqlite)\.ts$/,
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
