import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What is worth working out once, at build time. It gets the folder that becomes `dist`, with the bundle in it.
 *
 * The first page of the help, for bin/pay.cjs: the page is what people see first and scripts probe for, and loading the
 * program only to print it takes as long again as Node itself.
 */
export function prerender(dist) {
  const help = execFileSync(process.execPath, [join(dist, 'main.cjs'), '--help'], {
    env: {},
    encoding: 'utf8',
  })
  if (!help.includes('Usage:')) throw new Error(`pay --help printed no help:\n${help}`)
  writeFileSync(join(dist, 'help.txt'), help)
}
