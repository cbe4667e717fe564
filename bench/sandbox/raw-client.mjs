import { connect } from 'node:net'

/**
 * One connection on a raw socket, which uses little CPU: sends a request, waits for the complete response, then sends the
 * next. `next` returns the text of a request, or undefined to end; `onResponse` gets the text of each response.
 */
export function rawClient(port, { next, onResponse }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let received = ''
    const send = () => {
      const request = next()
      if (request !== undefined) return socket.write(request)
      socket.destroy()
      return resolve()
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', resolve)
    socket.on('data', (chunk) => {
      received += chunk.latin1Slice()
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
      if (received.length < head + 4 + length) return
      onResponse(received)
      received = ''
      send()
    })
  })
}
