import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What is worth working out once, at build time. It gets the folder that becomes `dist`, with the bundle in it.
 *
 * The first page of the help, whole and short, for bin/pay.cjs: it is what people see first and scripts probe for, and loading the
 * program only to print it takes as long again as Node itself.
 */
export function prerender(dist) {
  for (const [flag, name] of [
    ['--help', 'help.txt'],
    ['-h', 'help-short.txt'],
  ]) {
    const help = execFileSync(process.execPath, [join(dist, 'main.cjs'), flag], { env: {}, encoding: 'utf8' })
    if (!help.includes('Usage:')) throw new Error(`pay ${flag} printed no help:\n${help}`)
    writeFileSync(join(dist, name), help)
  }
}
