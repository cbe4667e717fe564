import { expect, test } from 'vitest'
import { unquotedIn } from './printed-commands.ts'
import { FILES, textOf } from './rooms.ts'

/** What needs no quotes, by file: names and numbers of pay's own, and commands that are quoted elsewhere. */
const NEED_NONE: Readonly<Record<string, readonly string[]>> = {
  'cli/guard/curl-command.ts': [
    'request.method',
    'quote(url, marker)',
    "name === 'x-api-key' ? '\"x-api-key: $PAY_API_KEY\"' : quote(`${name}: ${value}`, marker)",
    'quote(invocation.hideSecrets(withPlaceholders(draft.body.text, marker)), marker)',
  ],
  'cli/help/describe-command.ts': ['...path', 'usageOf(spec)'],
  'cli/parse/program.ts': ['...(spec?.path ?? [])', 'first'],
  'cli/report/next-steps.ts': [
    '...(isSecret ? spec.path : words.map(shellWord))',
    'verb',
    "port === '' ? '' : ` --port ${port}`",
    'port',
  ],
  'commands/batch/plan-argument.ts': ['ready'],
  'commands/batch/plan/result.ts': ['refusedVerdicts(verdicts)', 'operation', 'verdict'],
  'commands/batch/template.ts': ['file', 'operation'],
  'commands/payment/wait/wait-for-refund.ts': ['verb'],
  'commands/sandbox/open.ts': ['page', "port === undefined ? '' : ` --port ${port}`", 'port'],
  'commands/sandbox/stop.ts': ['port'],
  'commands/table-template.ts': [
    '...flagsOf({ ...fitted, map: isPlain ? {} : found.map }, needsMapping)',
    'PLACEHOLDER',
    'ready.mapping',
  ],
  'commands/top/find.ts': ['settings', 'words'],
  'commands/top/help.ts': ['other'],
  'commands/top/schema.ts': ['operation.id'],
  'commands/top/smoke/run-step.ts': [
    '...accountArgs',
    '...step.words.map((word) => quote(fill(word, { ...facts, ...secretsOf(facts) }) ?? word))',
  ],
  'files/private-folder.ts': ['mode'],
  'files/shell.ts': ['mode'],
  'rows/batch/planning/judge.ts': ['operation'],
  'rows/batch/planning/payment-state.ts': ['operation'],
  'rows/read/csv.ts': ['likelyEncoding(bytes)'],
  'rows/read/decode.ts': ['marked.toLowerCase()'],
  'rows/read/table.ts': ['lines'],
  'rows/read/workbook.ts': ['filter'],
  'views/payment/actions.ts': [
    "fields.map((field) => flags[field]).join('')",
    '/^\\d+(?:\\.\\d+)? [A-Z]{3}$/.test(money) ? `"${money}"` : amountMinor',
  ],
}

/** Sentences that look like commands, or say what was typed. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'cli/parse/program.ts': ['word'],
  'cli/parse/settings.ts': ['named'],
  'cli/request/build-draft.ts': ['pathText', 'field', 'String(value)', 'path'],
  'client/calls/outcome.ts': ["paymentStatus === undefined ? '' : ` is ${paymentStatus}`"],
  'client/config/api-key.ts': ['problem'],
  'client/config/resolve-account.ts': ['quoteName(flags.profile)', 'given'],
  'client/ledger/limits-in-time.ts': ['account'],
  'commands/batch/apply.ts': ["orderId === undefined ? '' : `, order ${orderId}`"],
  'commands/find/search-report.ts': ['which', 'ENDS[end]'],
  'commands/list-pages.ts': ['out'],
  'commands/payment/explain.ts': ['stringifyJson(parts).slice(1)'],
  'commands/payment/wait/status-verdict.ts': ['cleanWords(status)'],
  'commands/sandbox/serve-options.ts': ['port', 'host', 'name', 'origin', 'dataDir', 'idempotency'],
  'commands/top/smoke/smoke.ts': [
    'steps.length',
    '"steps.length',
    "count('failed')",
    "\"count('failed')",
    "count('skipped')",
    "\"count('skipped')",
    'seconds(total)',
    '"seconds(total)',
  ],
  'pages/dashboard/clock/clock-page.tsx': ['what', 'dueAt', 'amount'],
  'rows/batch/approve/ssh-keygen.ts': ['why', 'cause.message'],
  'store/postgres.ts': ['name'],
  'views/import/repeats.ts': ["rows.join(', ')", "more === 0 ? '' : ` and ${more} more`"],
}

test('the values in printed commands are quoted for the shell', () => {
  const found = FILES.flatMap((path) => unquotedIn(path, textOf(path)).map((code) => ({ path, code })))
  const isKnown = ({ path, code }: { readonly path: string; readonly code: string }) =>
    [NEED_NONE, SENTENCES].some((known) => known[path]?.includes(code) === true)
  expect(found.filter((one) => !isKnown(one))).toEqual([])
  const unused = [NEED_NONE, SENTENCES].flatMap((known) =>
    Object.entries(known).flatMap(([path, codes]) =>
      codes.filter((code) => !found.some((one) => one.path === path && one.code === code)),
    ),
  )
  expect(unused).toEqual([])
})

test.each([
  ['const a = `pay payment get ${id}`', ['id']],
  ['const a = `pay payment get ${shellWord(id)}`', []],
  ['const a = `pay payment get "${shellWord(id)}"`', ['"shellWord(id)']],
  ['const id = plainWord(x)\nconst a = `pay payment get ${id}`', []],
  ['const pay = `pay${accountFlagsOf(x)}`\nconst a = `${pay} ops show ${id}`', ['id']],
  ["const a = ['pay batch show', ...words].join(' ')", ['...words']],
  ["const a = ['pay', ...words.map(shellWord)].join(' ')", []],
  ["const a = 'pay ops show ' + id", ['id']],
  ['const a = `Look at ${id}. Then run pay ops show ${shellWord(id)}. ${why}`', []],
  ['const a = `Protect it: chmod 600 ${path}`', ['path']],
  ['const a = `Use --map ${field}=x`', ['field']],
  ['const a = `--host ${host} is open to others`', []],
])('the rule finds %j', (code, values) => {
  expect(unquotedIn('x.ts', code)).toEqual(values)
})
