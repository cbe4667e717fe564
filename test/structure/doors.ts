/** The one door of each library: a folder, in which one file may import it, or the files themselves. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@inquirer/core': ['cli'],
  '@inquirer/prompts': ['cli'],
  '@jmespath-community/jmespath': ['output'],
  '@photostructure/sqlite': ['sandbox'],
  'node:sqlite': ['sandbox'],
  'cli-table3': ['output'],
  'csv-parse': ['bulk'],
  'csv-stringify': ['output', 'bulk'],
  'lossless-json': ['json'],
  'string-width': ['output'],
  // A folder with a slash: all of its files draw with it.
  '@preact/signals': ['sandbox/web/'],
  preact: ['sandbox/web/'],
  open: ['cli'],
  // The second file declares the type of the module that the first one imports.
  pg: ['store/postgres.ts', 'store/pg-client.d.ts'],
  chalk: ['output'],
  commander: ['cli'],
  conf: ['config'],
  'iconv-lite': ['bulk'],
  // The second file declares the types of the modules that the first one imports.
  undici: ['http/undici-transport.ts'],
  yaml: ['output', 'bulk'],
  zod: ['api', 'config'],
}
