/** What a server may send, byte by byte, how its connection ends, and the one result that both clients must reach. */

export type End = 'fin' | 'reset' | 'open'
/** Pieces are written one by one, with a pause of a few milliseconds between them. */
export type Script = readonly [bytes: string | readonly string[], end?: End]
export type Result = string

export const CUT = 'cut, sent'
export const LARGE = 'too-large, sent'
export const head = (...fields: readonly string[]) =>
  `HTTP/1.1 200 OK\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`
export const LENGTH_2 = head('content-length: 2')
export const CHUNKED = head('transfer-encoding: chunked')

export const SCRIPTS: Readonly<Record<string, Readonly<Record<string, readonly [Script, Result]>>>> = {
  'a length': {
    'that is kept': [[`${LENGTH_2}{}`, 'open'], '200 {}'],
    'that is kept, in single bytes': [[`${LENGTH_2}{}`.split(''), 'open'], '200 {}'],
    'of nothing': [[head('content-length: 0'), 'open'], '200 '],
    'with zeros in front': [[`${head('content-length: 002')}{}`, 'open'], '200 {}'],
    'longer than its body': [[`${head('content-length: 9')}{}`], CUT],
    'longer than its body, and a reset': [[`${head('content-length: 9')}{}`, 'reset'], CUT],
    'shorter than its body': [[`${head('content-length: 1')}{}`], '200 {'],
    twice: [[`${head('content-length: 2', 'content-length: 2')}{}`], CUT],
    'twice, and different': [[`${head('content-length: 2', 'content-length: 7')}{}`], CUT],
    'twice in one field': [[`${head('content-length: 2, 2')}{}`], CUT],
    'with a sign': [[`${head('content-length: +2')}{}`], CUT],
    'below nothing': [[`${head('content-length: -2')}{}`], CUT],
    'that is empty': [[`${head('content-length:')}{}`], CUT],
    'beyond all numbers': [[`${head(`content-length: ${'9'.repeat(30)}`)}{}`], CUT],
    'beside chunks': [
      [`${head('content-length: 2', 'transfer-encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`],
      CUT,
    ],
    'behind chunks': [
      [`${head('transfer-encoding: chunked', 'content-length: 2')}2\r\n{}\r\n0\r\n\r\n`],
      CUT,
    ],
    'of a body that may not be': [['HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}'], CUT],
  },
  chunks: {
    'that end': [[`${CHUNKED}2\r\n{}\r\n0\r\n\r\n`, 'open'], '200 {}'],
    'in single bytes': [[`${CHUNKED}2\r\n{}\r\n0\r\n\r\n`.split(''), 'open'], '200 {}'],
    'with an extension and a trailer': [[`${CHUNKED}2;a=b\r\n{}\r\n0\r\nx-t: 1\r\n\r\n`, 'open'], '200 {}'],
    'without the last': [[`${CHUNKED}2\r\n{}\r\n`], CUT],
    'without the last, and a reset': [[`${CHUNKED}2\r\n{}\r\n`, 'reset'], CUT],
    'that stop before the end of the trailers': [[`${CHUNKED}2\r\n{}\r\n0\r\n`], CUT],
    'that stop': [[`${CHUNKED}10\r\n{"a"`], CUT],
    'of no size': [[`${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`], CUT],
    'of a size below nothing': [[`${CHUNKED}-2\r\n{}\r\n0\r\n\r\n`], CUT],
    'of a size beyond all numbers': [[`${CHUNKED}${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`], CUT],
    'longer than their size': [[`${CHUNKED}1\r\n{}\r\n0\r\n\r\n`], CUT],
  },
  'no length': {
    'and an end': [[`${head()}{}`], '200 {} (unframed)'],
    'and nothing at all': [[head()], '200  (unframed)'],
    'and a part of the JSON': [[`${head('content-type: application/json')}{"a":`], '200 {"a": (unframed)'],
    'in HTTP/1.0': [['HTTP/1.0 200 OK\r\n\r\n{}'], '200 {} (unframed)'],
    'and a reset': [[`${head()}{}`, 'reset'], CUT],
    'where no body may be': [['HTTP/1.1 204 No Content\r\n\r\n', 'open'], '204 '],
  },
  'before the answer': {
    'a hint': [[`HTTP/1.1 103 Early Hints\r\nx-a: 1\r\n\r\n${LENGTH_2}{}`, 'open'], '200 {}'],
    'a hint, and nothing else': [['HTTP/1.1 103 Early Hints\r\n\r\n'], CUT],
    '100, which was not asked for': [[`HTTP/1.1 100 Continue\r\n\r\n${LENGTH_2}{}`], CUT],
    'a switch of protocols': [
      [`HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n${LENGTH_2}{}`],
      CUT,
    ],
    'a switch to nothing': [[`HTTP/1.1 101 Switching Protocols\r\n\r\n${LENGTH_2}{}`], CUT],
    'an end': [[''], CUT],
    'a reset': [['', 'reset'], CUT],
  },
  'a head': {
    'that stops': [['HTTP/1.1 200 OK\r\ncontent-le'], CUT],
    'that stops, and a reset': [['HTTP/1.1 200 OK\r\ncontent-le', 'reset'], CUT],
    'of another protocol': [['220 mail.example.com ESMTP\r\n', 'open'], CUT],
    'of TLS': [['\u0016\u0003\u0001\u0002\0', 'open'], CUT],
    'of HTTP/2': [['HTTP/2 200 OK\r\n\r\n{}'], CUT],
    'with a status that is none': [[`HTTP/1.1 099 x\r\ncontent-length: 2\r\n\r\n{}`], CUT],
    'that ends its lines with line feeds alone': [['HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'], CUT],
    'with a folded field': [[`${head('x-a: 1', ' 2', 'content-length: 2')}{}`], CUT],
    'with a field without a name': [[`${head(': 1', 'content-length: 2')}{}`], CUT],
    'with a space behind a name': [[`${head('content-length : 2')}{}`], CUT],
    'with a control character': [[`${head('x-a: a\u0001b', 'content-length: 2')}{}`], CUT],
    'with a NUL behind thousands of spaces': [[`${head(`x-a: ${' '.repeat(16_000)}\0`)}{}`], CUT],
    'that is too long': [[`${head(`x-a: ${'a'.repeat(100_000)}`)}{}`], LARGE],
    'that never ends': [[`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}`, 'open'], LARGE],
    'with thousands of fields': [
      [`${head(...Array.from({ length: 3_000 }, () => 'a:'), 'content-length: 2')}{}`, 'open'],
      '200 {}',
    ],
  },
  'too much': { 'by its own account': [[head(`content-length: ${8 * 2 ** 20 + 1}`), 'open'], LARGE] },
  'behind a complete answer': {
    'a line break': [[`${LENGTH_2}{}\r\n`, 'open'], '200 {}'],
    'something that is not HTTP': [[`${LENGTH_2}{} more`, 'open'], '200 {}'],
    'something that is not HTTP, and a reset': [[`${LENGTH_2}{} more`, 'reset'], '200 {}'],
    'another answer': [[`${LENGTH_2}{}${head('content-length: 2')}no`, 'open'], '200 {}'],
    'another answer, later': [[[`${LENGTH_2}{}`, `${LENGTH_2}no`], 'open'], '200 {}'],
    'another answer behind chunks': [[`${CHUNKED}2\r\n{}\r\n0\r\n\r\n${LENGTH_2}no`, 'open'], '200 {}'],
    'a body where none may be': [['HTTP/1.1 204 No Content\r\n\r\n{}', 'open'], '204 '],
    'a reset': [[`${LENGTH_2}{}`, 'reset'], '200 {}'],
  },
}
