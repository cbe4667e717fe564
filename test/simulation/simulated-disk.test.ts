import { describe, expect, test } from 'vitest'
import { chanceOf } from './random.ts'
import { SimulatedDisk } from './simulated-disk.ts'

function diskWith(work: (disk: SimulatedDisk) => void): SimulatedDisk {
  const disk = new SimulatedDisk()
  disk.makeFolder('/a')
  work(disk)
  return disk
}

/** What is left of a file by each of many power cuts. */
function leftovers(work: (disk: SimulatedDisk) => void, path: string): Set<string | undefined> {
  const left = new Set<string | undefined>()
  for (let seed = 1; seed <= 200; seed += 1) {
    const disk = diskWith(work)
    disk.cutPower(chanceOf(seed))
    left.add(disk.text(path))
  }
  return left
}

describe('a power cut', () => {
  test('leaves what was synced, name and contents', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'whole')
      disk.sync('/a/file')
      disk.sync('/a')
    }, '/a/file')
    expect([...left]).toEqual(['whole'])
  })

  test('may take a file whose name was not synced', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'whole')
      disk.sync('/a/file')
    }, '/a/file')
    expect(left).toEqual(new Set([undefined, 'whole']))
  })

  test('may leave any beginning of contents that were not synced, or zeros', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', '')
      disk.sync('/a')
      disk.append('/a/file', 'abc')
    }, '/a/file')
    expect(left).toEqual(new Set(['', 'a', 'ab', 'abc', '\0', '\0\0', '\0\0\0']))
  })

  test('cuts an addition, and nothing of what was there before', () => {
    const left = leftovers((disk) => {
      disk.append('/a/file', 'first ')
      disk.sync('/a/file')
      disk.sync('/a')
      disk.append('/a/file', 'x')
    }, '/a/file')
    expect(left).toEqual(new Set(['first ', 'first x', 'first \0']))
  })

  test('may bring back what was removed, and what another was put in place of', () => {
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

describe('while the power stays', () => {
  test('everything is as it was written, synced or not', () => {
    const disk = diskWith((one) => one.append('/a/file', 'text'))
    expect(disk.text('/a/file')).toBe('text')
    expect(disk.names('/a')).toEqual(['file'])
  })

  test('a name is won by one only', () => {
    const disk = diskWith((one) => {
      one.append('/a/x', 'x')
      one.append('/a/y', 'y')
    })
    expect([disk.link('/a/x', '/a/lock'), disk.link('/a/y', '/a/lock')]).toEqual([true, false])
    expect(disk.text('/a/lock')).toBe('x')
  })

  test('certain is only what was synced and not touched since', () => {
    const disk = diskWith((one) => {
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
