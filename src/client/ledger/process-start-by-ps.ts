import { execFileSync } from 'node:child_process'

/** When a process started, to the second, on systems without /proc such as macOS. undefined when there is no such process. */
export function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return text === '' ? undefined : text
  } catch {
    return undefined
  }
}
