/** Makes the folder of an archive from a packed package. Returns its path. */
export function makeFolder(platform: string, tarball: string, into: string): string
