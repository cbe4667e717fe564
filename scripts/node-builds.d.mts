export const TESTED: Readonly<Record<'win-x64' | 'linux-x64', readonly string[]>>

/** The program of a build of Node; it may not have been fetched. */
export function nodeProgram(platform: string, version: string): string
