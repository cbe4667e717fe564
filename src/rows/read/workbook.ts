import { posixWord } from '../../text/shell-word.ts'
import { shellWord } from '../../files/shell.ts'
import type { Input } from './input.ts'
import { unusableFile } from './unusable-file.ts'

const ZIP = Buffer.from('504b0304', 'hex')
/** The container format of .xls and of password-protected workbooks. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const SEARCHED_BYTES = 64 * 1024

const ADVICE =
  'Save it as CSV. In Excel: File > Save As > CSV UTF-8. In LibreOffice: File > Save As > Text CSV. In Numbers: File > Export To > CSV. In Google Sheets: File > Download > Comma-separated values. Format columns with IDs as text first, or they lose digits.'

/**
 * Refuses spreadsheets, JSON that isn't NDJSON, and lines in quotes, recognized by their first bytes, not by name.
 * @throws {UsageError} with how to convert the file
 */
export function refuseOtherFormats(
  { head, isCompressed }: Pick<Input, 'head' | 'isCompressed'>,
  shown: string,
): void {
  refuseWorkbook(head, shown)
  const source = { shown, isCompressed }
  const start = head.toString('latin1', 0, SEARCHED_BYTES).replace(/^\u00EF\u00BB\u00BF/, '')
  const json = /^\s*\[\s*\{/.test(start)
    ? { kind: 'a JSON array, not one record per line', jq: "jq -c '.[]'" }
    : /^\s*\{\s*[\r\n]/.test(start)
      ? { kind: 'JSON with several lines for a record, not one record per line', jq: 'jq -c .' }
      : undefined
  if (json !== undefined)
    throw unusableFile(`${shown} is ${json.kind}`, convertedBy(json.jq, source, 'ndjson'))
  const lines = start.split(/\r\n|\n|\r/, 2)
  if (lines.every(isOneQuotedCell))
    throw unusableFile(
      `Each line of ${shown} is in quotes as a whole, so it is one cell`,
      convertedBy(String.raw`sed -E 's/^"(.*)"(\r?)$/\1\2/; s/""/"/g'`, source, 'csv'),
    )
}

/** Whether a line is one quoted cell that seems to contain several. */
function isOneQuotedCell(line: string): boolean {
  const inside = line.slice(1, -1).replaceAll('""', '')
  const isQuoted = line.length > 2 && line.startsWith('"') && line.endsWith('"')
  return isQuoted && !inside.includes('"') && /[,;\t|]/.test(inside)
}

/** How to convert a file. A filter for stdin goes before `pay`. */
function convertedBy(
  filter: string,
  { shown, isCompressed }: { readonly shown: string; readonly isCompressed: boolean },
  ending: string,
): string {
  if (shown === 'stdin') return `Pipe it through ${filter} first.`
  const name = shown.replace(/\.gz$/i, '').replace(/\.[^./\\]*$/, '')
  const text = isCompressed ? `gzip -dc ${posixWord(shown)} | ${filter}` : `${filter} ${posixWord(shown)}`
  return `Convert it: ${text} > ${posixWord(`${name}-converted.${ending}`)}`
}

function refuseWorkbook(head: Buffer, shown: string): void {
  const advice = `${ADVICE} Or run: libreoffice --headless --convert-to csv ${shellWord(shown)}`
  if (head.subarray(0, OLE.length).equals(OLE))
    throw unusableFile(`${shown} is an Excel workbook (.xls or password-protected), not a CSV`, advice)
  if (!head.subarray(0, ZIP.length).equals(ZIP)) {
    const start = head.toString('latin1', 0, SEARCHED_BYTES)
    const disguise = DISGUISES.find(([pattern]) => pattern.test(start))?.[1]
    if (disguise !== undefined) throw unusableFile(`${shown} is ${disguise}, not a CSV`, advice)
    return
  }
  const names = head.toString('latin1', 0, SEARCHED_BYTES)
  const kind = KINDS.find(([mark]) => names.includes(mark))?.[1]
  throw kind === undefined
    ? unusableFile(
        `${shown} is a ZIP archive, not a CSV`,
        `Unpack it: unzip -p ${posixWord(shown)} > ${posixWord(`${shown}.csv`)}`,
      )
    : unusableFile(`${shown} is ${kind}, not a CSV`, advice)
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
