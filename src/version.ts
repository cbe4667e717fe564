import manifest from '../package.json' with { type: 'json' }

/** From package.json; the build inlines it. */
export const VERSION: string = manifest.version
