/** The baseline for the sandbox: node:http that parses and validates the same body, and stores nothing. */
import { createServer } from 'node:http'
import { createExternalPaymentRequest } from '../../src/api/models/external-payment.ts'
import { z } from '../../src/api/schema.ts'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const parsed = z.safeParse(createExternalPaymentRequest(), body)
    const text = JSON.stringify(
      parsed.success ? parsed.data : { error: { errorId: 'RequestValidationError' } },
    )
    response.writeHead(parsed.success ? 200 : 422, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
