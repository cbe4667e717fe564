// Writes a bcryptprimitives.dll, which Wine 8 lacks and programs in Rust need. It has one function, ProcessPrng, and hands it on
// to SystemFunction036 of advapi32.dll, which gives random bytes too. Usage: node test/windows/bcryptprimitives.mjs PATH
import { writeFileSync } from 'node:fs'

const PAGE = 0x1000
const SECTOR = 0x200
const text = (words) => Buffer.from(`${words}\0`, 'latin1')
const numbers32 = (...values) => Buffer.from(Uint32Array.from(values).buffer)
const numbers16 = (...values) => Buffer.from(Uint16Array.from(values).buffer)
const numbers64 = (...values) => Buffer.from(BigUint64Array.from(values.map(BigInt)).buffer)
const padded = (parts, size) => Buffer.concat([Buffer.concat(parts), Buffer.alloc(size)], size)

/** The table of exported functions: a head of 40 bytes, an address, a name, a number, and the texts. */
function exportTable() {
  const [library, name, target] = ['bcryptprimitives.dll', 'ProcessPrng', 'ADVAPI32.SystemFunction036'].map(
    text,
  )
  const [addresses, names, ordinals, texts] = [40, 44, 48, 50].map((offset) => PAGE + offset)
  const [nameAt, targetAt] = [texts + library.length, texts + library.length + name.length]
  return Buffer.concat([
    numbers32(0, 0, 0, texts, 1, 1, 1, addresses, names, ordinals),
    numbers32(targetAt, nameAt),
    numbers16(0),
    library,
    name,
    target,
  ])
}

const table = exportTable()
const start = padded([text('MZ')], 0x3c)
const head = [
  Buffer.concat([start, numbers32(0x40), text('PE\0')]),
  // For x64, with one section.
  numbers16(0x8664, 1),
  numbers32(0, 0, 0),
  numbers16(0xf0, 0x2022),
  numbers16(0x20b, 14),
  numbers32(0, SECTOR, 0, 0, PAGE),
  numbers64(0x6a0000000),
  numbers32(PAGE, SECTOR),
  numbers16(6, 0, 0, 0, 6, 0),
  numbers32(0, 2 * PAGE, SECTOR, 0),
  numbers16(3, 0),
  numbers64(0x100000, PAGE, 0x100000, PAGE),
  numbers32(0, 16, PAGE, table.length),
  Buffer.alloc(15 * 8),
  padded([text('.edata')], 8),
  numbers32(table.length, PAGE, SECTOR, SECTOR, 0, 0, 0, 0x40000040),
]
writeFileSync(process.argv[2], Buffer.concat([padded(head, SECTOR), padded([table], SECTOR)]))
