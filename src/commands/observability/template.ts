import { csvLine } from '../../bulk/csv-line.ts'
import { readHeader } from '../../bulk/read-table.ts'
import { TEMPLATE_FIELDS, suggestMapping, templateRow } from '../../bulk/template.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resultOf, textView } from '../../cli/result.ts'
import type { Result } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { importMappingView } from '../../views/import-mapping.ts'
import { openInput } from './import-source.ts'

export const command: CommandSpec = {
  path: ['observability', 'template'],
  summary: 'Print a header and a row for an import, or how a file of yours would fit',
  details:
    'Without FILE: a CSV with the fields that every record needs and two that many have. With FILE: its header beside the fields of a record, as the --map words that would fit it. Nothing is sent.',
  examples: [
    { says: 'a file to begin with', line: 'pay observability template > records.csv' },
    { says: 'how a file of yours would fit', line: 'pay observability template orders.csv' },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'A CSV with names of its own', optional: true }],
  run: async (invocation: Invocation, input: CommandInput) => {
    const path = input.args['FILE']
    return path === undefined ? template() : fitting(invocation, path)
  },
  related: ['observability import'],
}

function template(): Result {
  const row = Object.fromEntries(TEMPLATE_FIELDS.map((field, index) => [field, templateRow()[index] ?? '']))
  return resultOf(row, {
    ...textView(() => `${csvLine(TEMPLATE_FIELDS)}${csvLine(templateRow())}`.trimEnd()),
    csvColumns: TEMPLATE_FIELDS,
  })
}

async function fitting(invocation: Invocation, file: string): Promise<Result> {
  const { head } = await openInput(invocation, file)
  const { suggestions, missing } = suggestMapping(readHeader(head).names)
  const map = Object.fromEntries(suggestions.map(({ field, column }) => [field, column]))
  return resultOf({ file, map, missing }, importMappingView)
}
