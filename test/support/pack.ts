import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './spawn-pay.ts'

/** The package as it would be published, of what is built. Without scripts, which would build it anew under other tests. */
export function packInto(folder: string): string {
  const argv = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  return join(folder, execFileSync('npm', argv, { cwd: ROOT, encoding: 'utf8' }).trim())
}
