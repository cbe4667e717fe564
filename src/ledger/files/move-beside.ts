import type { Disk } from './disk.ts'

/** Renames without writing over anything: the first of these names that is free. `named` is given nothing, `-2`, `-3` and so on. */
export async function moveBeside(
  disk: Disk,
  from: string,
  named: (suffix: string) => string,
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const to = named(number === 1 ? '' : `-${number}`)
    if (!(await disk.link(from, to))) continue
    await disk.remove(from)
    return to
  }
}
