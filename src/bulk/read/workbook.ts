import { unusableFile } from './unusable-file.ts'

const ZIP = Buffer.from('504b0304', 'hex')
/** The container of .xls, and of a workbook with a password. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const SEARCHED_BYTES = 64 * 1024

const ADVICE =
  'Save it as CSV. In Excel: File > Save As > CSV UTF-8. In Google Sheets: File > Download > Comma-separated values. First format columns with IDs as text, or their digits are lost.'

/**
 * A workbook is known by its bytes, whatever its name.
 * @throws {UsageError} with how to make a CSV of it
 */
export function refuseWorkbook(head: Buffer, shown: string): void {
  if (head.subarray(0, OLE.length).equals(OLE))
    throw unusableFile(`${shown} is an Excel workbook (.xls, or one with a password), not a CSV`, ADVICE)
  if (!head.subarray(0, ZIP.length).equals(ZIP)) return
  const names = head.toString('latin1', 0, SEARCHED_BYTES)
  const kind = KINDS.find(([mark]) => names.includes(mark))?.[1]
  throw kind === undefined
    ? unusableFile(`${shown} is a ZIP archive, not a CSV`, 'Unpack it first.')
    : unusableFile(`${shown} is ${kind}, not a CSV`, ADVICE)
}

/** By a name that such an archive has among its first. */
const KINDS: readonly (readonly [mark: string, kind: string])[] = [
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet (.ods)'],
  ['Index/Document.iwa', 'a Numbers spreadsheet'],
  ['word/', 'a Word document'],
  ['xl/', 'an Excel workbook (.xlsx)'],
  ['[Content_Types].xml', 'an Excel workbook (.xlsx)'],
]
