import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Renders the first help page, in full and in short, into the folder that becomes `dist`. bin/pay.cjs prints it without loading
 * the program: people see this page first and scripts probe for it, and loading the program takes as long again as Node
 * itself.
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
