import { isUtf8 } from 'node:buffer'
import type { Block } from './blocks.ts'
import { unusableFile } from './unusable-file.ts'

/** Names the line of a record that is not UTF-8. */
export function notUtf8({ bytes, startLine }: Block): Error {
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/)
  const at = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  const from = isUtf16(bytes) ? 'UTF-16' : 'WINDOWS-1252'
  return unusableFile(
    `Line ${startLine + Math.max(0, at)} is not UTF-8`,
    `Save the file as UTF-8, or convert it: iconv -f ${from} -t UTF-8 FILE`,
  )
}

/** By its mark, or by the zero bytes that every other sign of plain text has there. */
const isUtf16 = (bytes: Buffer): boolean => bytes[0] === 0xff || bytes[0] === 0xfe || bytes.includes(0)
