import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * undici's client requires its HTTP/2 half, and with it node:http2, at load (5 ms), though HTTP/2 is off here.
 * The half is replaced by a function that says so. `PAY_BUILD_HTTP2=1` keeps it, to measure or to rule it out.
 */
const withoutHttp2 = {
  name: 'without-http2',
  load: {
    filter: { id: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ },
    handler: () =>
      process.env['PAY_BUILD_HTTP2'] === '1'
        ? undefined
        : "module.exports = () => { throw new Error('HTTP/2 is not part of this build') }",
  },
}

export const inputOptions = {
  input: { main: 'src/main.ts' },
  cwd: root,
  platform: 'node',
  external: ['@photostructure/sqlite', /^node:/],
  transform: { target: 'node20' },
  plugins: [withoutHttp2],
}

/**
 * CommonJS, since an ES module as entry costs 3 ms at start. Split along the dynamic imports, since one file for all
 * costs more than it saves. Not minified: a stack trace that a user sends in has to be readable.
 */
export const outputOptions = {
  dir: 'dist',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  comments: { legal: false, annotation: false, jsdoc: false },
}

export default defineConfig({ ...inputOptions, output: outputOptions })
