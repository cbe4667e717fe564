import manifest from '../package.json' with { type: 'json' }

/** Read from package.json; the build writes it into the bundle. */
export const VERSION: string = manifest.version
