import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/spawn-pay.ts'

/** What the tools and the bash 3.2 of macOS don't have, in commands for people. */
const ONLY_GNU: readonly RegExp[] = [
  /\bdate (?:.* )?(?:-d|--date|-Is|--iso-8601|\+%[^ ]*N)/,
  /\bsed (?:-\w* )*(?:-i(?! ?'')|-r\b|-z\b)/,
  /\bgrep (?:.* )?-\w*P/,
  /\bxargs (?:.* )?-\w*[rad]\b/,
  /\breadlink (?:.* )?-f|\brealpath -/,
  /\b(?:sha\d+sum|md5sum|tac|timeout|nproc|numfmt|setsid|shuf|gtime) /,
  /\bstat -c|\bbase64 -w|\bcp (?:.* )?--|\bfind .* -printf|\bsort (?:.* )?-\w*V|\bhead -n -|\bmktemp --/,
  /\b(?:mapfile|readarray|declare -A|wait -n)\b|\$\{\w+(?:,,|\^\^)\}|\|&|&>>/,
]

const fences = (text: string): readonly string[] =>
  [...text.matchAll(/^```(?:sh|bash|shell|console)\n(.*?)^```/gms)].map(([, block = '']) => block)

const COMMANDS: readonly (readonly [file: string, text: string])[] = [
  'README.md',
  'SKILL.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
  ...readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join('examples', name),
  ),
].flatMap((file) => {
  if (file.endsWith('.md'))
    return [[file, fences(readFileSync(join(ROOT, file), 'utf8')).join('\n')] as const]
  return file.endsWith('.sh') ? [[file, readFileSync(join(ROOT, file), 'utf8')] as const] : []
})

/** Before bash 4.4, an empty list counts as unset, and `set -u` ends the script. */
const emptyLists = (text: string): readonly RegExp[] =>
  [...text.matchAll(/\b(\w+)=\(\)/g)].map(([, name = '']) => new RegExp(String.raw`"\$\{${name}\[[@*]\]\}"`))

const onlyGnu = (text: string): readonly string[] => {
  const patterns = [...ONLY_GNU, ...emptyLists(text)]
  return text.split('\n').filter((line) => !/^\s*#/.test(line) && patterns.some((one) => one.test(line)))
}

test('the commands of README, docs and examples run on macOS too', () => {
  expect(COMMANDS.filter(([, text]) => text !== '').length).toBeGreaterThan(10)
  expect(COMMANDS.flatMap(([file, text]) => onlyGnu(text).map((line) => `${file}: ${line}`))).toEqual([])
})

test.each([
  'date -d yesterday +%F',
  'date -u -d yesterday',
  "sed -i 's/a/b/' file",
  'readlink -f pay',
  'ls | xargs -r pay',
  'sha256sum -c SUMS',
  'grep -oP "x" file',
  'mapfile -t rows < file',
])('%s is found', (line) => {
  expect(onlyGnu(line)).toEqual([line])
})

test('a list that may be empty is found', () => {
  expect(onlyGnu('body=()\ncurl "${body[@]}"')).toEqual(['curl "${body[@]}"'])
})

test.each(['date -u +%F', 'xargs -P 2 -I PART pay', "sed -n 's/a/b/p' file", 'grep -cv "^row,"'])(
  '%s runs anywhere',
  (line) => {
    expect(onlyGnu(line)).toEqual([])
  },
)
