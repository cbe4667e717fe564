import { describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { SimulatedDisk } from './simulated-disk.ts'

function diskAfter(work: (disk: SimulatedDisk) => void): SimulatedDisk {
  const disk = new SimulatedDisk()
  disk.makeFolder('/a')
  work(disk)
  return disk
}

/** What 200 different power cuts leave of a file; undefined if it is gone. */
function leftovers(work: (disk: SimulatedDisk) => void, path: string): Set<string | undefined> {
  const left = new Set<string | undefined>()
  for (let seed = 1; seed <= 200; seed += 1) {
    const disk = diskAfter(work)
    disk.cutPower(createRandom(seed))
    left.add(disk.text(path))
  }
  return left
}

describe('a power cut', () => {
  test('leaves synced contents under a synced name', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'whole')
      disk.sync('/a/file')
      disk.sync('/a')
    }, '/a/file')
    expect([...left]).toEqual(['whole'])
  })

  test('may remove a file whose name is not synced', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'whole')
      disk.sync('/a/file')
    }, '/a/file')
    expect(left).toEqual(new Set([undefined, 'whole']))
  })

  test('may leave any beginning of unsynced contents, or zeros', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', '')
      disk.sync('/a')
      disk.append('/a/file', 'abc')
    }, '/a/file')
    expect(left).toEqual(new Set(['', 'a', 'ab', 'abc', '\0', '\0\0', '\0\0\0']))
  })

  test('may cut what was appended, but not the synced contents before it', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'first ')
      disk.sync('/a/file')
      disk.sync('/a')
      disk.append('/a/file', 'x')
    }, '/a/file')
    expect(left).toEqual(new Set(['first ', 'first x', 'first \0']))
  })

  test('may bring back a removed or replaced file', () => {
    const left = leftovers((disk) => {
      for (const name of ['old', 'new']) {
        disk.append(`/a/${name}`, name)
        disk.sync(`/a/${name}`)
      }
      disk.sync('/a')
      disk.rename('/a/new', '/a/old')
      disk.remove('/a/old')
    }, '/a/old')
    expect(left).toEqual(new Set(['old', 'new', undefined]))
  })
})

describe('without a power cut', () => {
  test('every write is visible, synced or not', () => {
    const disk = diskAfter((one) => one.append('/a/file', 'text'))
    expect(disk.text('/a/file')).toBe('text')
    expect(disk.names('/a')).toEqual(['file'])
  })

  test('only one link gets a name', () => {
    const disk = diskAfter((one) => {
      one.append('/a/x', 'x')
      one.append('/a/y', 'y')
    })
    expect([disk.link('/a/x', '/a/lock'), disk.link('/a/y', '/a/lock')]).toEqual([true, false])
    expect(disk.text('/a/lock')).toBe('x')
  })

  test('only what was synced and not changed since is certain', () => {
    const disk = diskAfter((one) => {
      one.append('/a/file', 'whole')
      one.sync('/a/file')
      one.sync('/a')
      one.append('/a/file', ' and more')
      one.append('/a/other', 'x')
    })
    expect([...disk.certain('/a')]).toEqual([['file', 'whole']])
    disk.remove('/a/file')
    expect([...disk.certain('/a')]).toEqual([])
  })
})
