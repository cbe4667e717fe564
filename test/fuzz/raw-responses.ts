import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends bytes, half-closes the connection, and returns everything that the server sends until it closes. */
export function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const chunks: Buffer[] = []
    socket.on('connect', () => socket.end(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

/** Splits what came back into responses by their Content-Length. Throws if it is not made of complete ones. */
export function readAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`an incomplete head: ${rest.toString('latin1').slice(0, 200)}`)
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (Number.isNaN(status)) throw new Error(`no status line: ${line.slice(0, 200)}`)
    const headers = Object.fromEntries(fields.map(nameAndValue))
    rest = rest.subarray(end + 4)
    // A response to HEAD has a Content-Length but no body.
    const isBare = rest.length === 0 || rest.subarray(0, 9).toString('latin1') === 'HTTP/1.1 '
    const length = isBare ? 0 : Number(headers['content-length'] ?? 0)
    if (length > rest.length) throw new Error(`a body of ${rest.length} bytes instead of ${length}`)
    if (status !== 100) answers.push({ status, headers, body: rest.subarray(0, length).toString('utf8') })
    rest = rest.subarray(length)
  }
  return answers
}

function nameAndValue(field: string): readonly [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}
