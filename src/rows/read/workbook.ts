import { unusableFile } from './unusable-file.ts'

const ZIP = Buffer.from('504b0304', 'hex')
/** The container format of .xls and of password-protected workbooks. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const SEARCHED_BYTES = 64 * 1024

const ADVICE =
  'Save it as CSV. In Excel: File > Save As > CSV UTF-8. In LibreOffice: File > Save As > Text CSV. In Numbers: File > Export To > CSV. In Google Sheets: File > Download > Comma-separated values. Format columns with IDs as text first, or they lose digits.'

/**
 * Refuses spreadsheet files, recognized by their first bytes, not by name.
 * @throws {UsageError} with how to save the file as CSV
 */
export function refuseWorkbook(head: Buffer, shown: string): void {
  if (head.subarray(0, OLE.length).equals(OLE))
    throw unusableFile(`${shown} is an Excel workbook (.xls or password-protected), not a CSV`, ADVICE)
  if (!head.subarray(0, ZIP.length).equals(ZIP)) {
    const start = head.toString('latin1', 0, SEARCHED_BYTES)
    const disguise = DISGUISES.find(([pattern]) => pattern.test(start))?.[1]
    if (disguise !== undefined) throw unusableFile(`${shown} is ${disguise}, not a CSV`, ADVICE)
    return
  }
  const names = head.toString('latin1', 0, SEARCHED_BYTES)
  const kind = KINDS.find(([mark]) => names.includes(mark))?.[1]
  throw kind === undefined
    ? unusableFile(`${shown} is a ZIP archive, not a CSV`, 'Unpack it first.')
    : unusableFile(`${shown} is ${kind}, not a CSV`, ADVICE)
}

/** The formats that some programs export with the name of a workbook. */
const DISGUISES: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [
    /^[^<]{0,3}\s*<\?xml[^]{0,500}?(?:urn:schemas-microsoft-com:office:spreadsheet|<Workbook\b)/i,
    'an XML spreadsheet',
  ],
  [/^[^<]{0,3}\s*<(?:!doctype html|html|table|meta)\b/i, 'an HTML table'],
]

/** The names of files that are near the start of such an archive. */
const KINDS: readonly (readonly [mark: string, kind: string])[] = [
  ['opendocument.spreadsheet', 'an OpenDocument spreadsheet (.ods)'],
  ['Index/Document.iwa', 'a Numbers spreadsheet'],
  ['word/', 'a Word document'],
  ['xl/workbook.bin', 'an Excel workbook (.xlsb)'],
  ['xl/', 'an Excel workbook (.xlsx)'],
  ['[Content_Types].xml', 'an Excel workbook (.xlsx)'],
]
