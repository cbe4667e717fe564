// Request bodies of about `size` bytes that cost a server as much as possible, and reads of what they leave behind.

/** Joins `piece(0)`, `piece(1)` and so on up to a size. */
function fill(size, piece, separator = ',') {
  const pieces = []
  for (let length = 0, index = 0; ; index += 1) {
    const next = piece(index)
    length += next.length + separator.length
    if (length > size) return pieces.join(separator)
    pieces.push(next)
  }
}

const PAYMENT = '"paymentMethodToken":"tok_visa","orderId":"o","currencyCode":"EUR","amount":5'
const lines = (size, line) => `{${PAYMENT},"order":{"lineItems":[${fill(size, line)}]}}`
const fieldsOf = (size, field) => `{${PAYMENT},${fill(size, field)}}`
const metadataOf = (size, field) => `{${PAYMENT},"metadata":{${fill(size, field)}}}`
const textOf = (size, part) => `{${PAYMENT},"metadata":{"text":"${part.repeat(size / part.length)}"}}`
/** The deepest nesting that the service reads. */
const deep = (inner) => `${'['.repeat(150)}${inner}${']'.repeat(150)}`

const BODIES = {
  'arrays never closed': (size) => '['.repeat(size),
  'objects never closed': (size) => '{"a":'.repeat(size / 5),
  'many deep lists': (size) => fieldsOf(size, (n) => `"k${n}":${deep('')}`),
  'wide list at the bottom': (size) => `{${PAYMENT},"x":${deep(fill(size, () => '{"a":1}'))}}`,
  'bad texts at the bottom': (size) => `{${PAYMENT},"x":${deep(fill(size, () => String.raw`"\u0000"`))}}`,
  'empty lines': (size) => lines(size, () => '{}'),
  'lines of a wrong type': (size) => lines(size, () => '1'),
  'wrong amounts': (size) => lines(size, () => '{"amount":"x"}'),
  'wrong everything': (size) =>
    lines(size, () => '{"amount":"x","quantity":"x","name":1,"x":1,"productType":"y"}'),
  'good lines': (size) =>
    lines(size, (n) => `{"amount":1,"quantity":2,"itemId":"sku-${n}","name":"A thing","taxAmount":0}`),
  'good lines with a fraction': (size) => lines(size, (n) => `{"amount":1.0,"itemId":"sku-${n}"}`),
  'unknown values': (size) => lines(size, () => '{"productType":"x"}'),
  'unknown fields': (size) => fieldsOf(size, (n) => `"k${n}":1`),
  'unknown fields in lines': (size) => lines(size, (n) => `{"k${n}":1}`),
  'one field twice, at the end': (size) => `{${fill(size, (n) => `"k${n}":1`)},"k0":1}`,
  'one field many times': (size) => fieldsOf(size, () => '"a":1'),
  'many keys of metadata': (size) => metadataOf(size, (n) => `"k${n}":1`),
  'long keys of metadata': (size) => metadataOf(size, (n) => `"${'k'.repeat(1000)}${n}":"v"`),
  'keys that look like numbers': (size) => metadataOf(size, (n) => `"${4294967295 - n * 7}":1`),
  'fractions in metadata': (size) => metadataOf(size, (n) => `"k${n}":1.5`),
  'integers of 1000 digits': (size) => metadataOf(size, (n) => `"k${n}":${'7'.repeat(1000)}`),
  'integers of 1001 digits': (size) => metadataOf(size, (n) => `"k${n}":${'7'.repeat(1001)}`),
  'integers with zeros inside': (size) => metadataOf(size, (n) => `"k${n}":1${'0'.repeat(998)}1`),
  'one integer of a million digits': (size) => `{"amount":${'7'.repeat(size)}}`,
  'one fraction of a million digits': (size) => `{"amount":1.${'7'.repeat(size)}}`,
  'huge exponents': (size) => lines(size, () => '{"amount":1e999999999}'),
  'prototype keys': (size) => lines(size, () => '{"__proto__":{"__proto__":1}}'),
  'a long text': (size) => textOf(size, 'x'),
  'a long text and a fraction': (size) => textOf(size, 'x').replace('{', '{"x":1.5,'),
  'a text of escapes': (size) => textOf(size, String.raw`\u0041`),
  'a text of quotes and a fraction': (size) => textOf(size, String.raw`\"`).replace('{', '{"x":1.5,'),
  'a text of backslashes': (size) => textOf(size, '\\\\'),
  'a text of commas and spaces': (size) => textOf(size, '[ , '),
  'a text beyond latin': (size) => textOf(size, '\u20ac\u20ac\u20ac\u20ac').slice(0, size / 3),
  'a text that turns around': (size) => textOf(size / 3, '\u202e'),
  'fields that turn around': (size) => metadataOf(size / 3, (n) => `"k${n}":"${'\u202e'.repeat(80_000)}"`),
  'a text of single digits': (size) => textOf(size, '1 '),
  'a text of beginnings of tokens': (size) => textOf(size, 'ey-'),
  'a text of words and dots': (size) => textOf(size, 'eyes.'),
  'a form': (size) => 'a='.repeat(size / 2),
  'a form of tokens': (size) => fill(size, (n) => `token${n}=abc`, '&'),
  'unknown fields beyond latin': (size) => fieldsOf(size / 3, (n) => `"\u20ac${n}":1`),
  'half surrogates': (size) => metadataOf(size, (n) => String.raw`"k${n}":"\ud800"`),
  spaces: (size) => `{${' '.repeat(size)}}`,
  'empty rows, then no JSON': (size) => `{${'\n'.repeat(size)}x`,
  'list never closed': (size) => `{"a":[${fill(size, () => '1')}`,
  'one comma too many': (size) => `{"a":[${fill(size, () => '""')},]}`,
}

/** The same body without the fields that only a payment has. */
const sessionOf = (text) => text.replace('"paymentMethodToken":"tok_visa",', '')

/** Some of the bodies above are payments of their size, which are listed here. */
const READS = ['/payments', '/observability/payments', '/sandbox/records?limit=100', '/sandbox/insights']

export const heavyReads = () =>
  READS.map((path) => ({ name: `GET ${path} of large payments`, method: 'GET', path, text: '' }))

export const heavyBodies = (size) =>
  Object.entries(BODIES).flatMap(([name, body]) => {
    const text = body(size - 500)
    return [
      { name, method: 'POST', path: '/payments', text },
      ...(name.includes('metadata') || name.includes('line') || name.startsWith('wide')
        ? [{ name: `${name}, a session`, method: 'POST', path: '/client-session', text: sessionOf(text) }]
        : []),
    ]
  })
