import { connect, type Socket } from 'node:net'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'

const ANSWER_MS = 30_000
const END_OF_HEAD = '\r\n\r\n'

/** The bytes that are sent for a request, with all of the request's errors. */
export function bytesOf(request: FuzzRequest, host: string): Buffer {
  const names = new Set(request.headers.map(([name]) => name.toLowerCase()))
  const { body } = request
  const length = body === undefined ? 0 : body.length + (request.isCutShort === true ? 7 : 0)
  const isFramed = names.has('content-length') || names.has('transfer-encoding')
  const head = [
    `${request.method} ${request.target} HTTP/1.1`,
    ...(names.has('host') || request.hasHost === false ? [] : [`host: ${host}`]),
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || isFramed ? [] : [`content-length: ${length}`]),
  ]
  const text = head.join('\r\n') + END_OF_HEAD
  return Buffer.concat([Buffer.from(text, 'latin1'), body ?? Buffer.alloc(0)])
}

/**
 * A connection that sends exact bytes, even invalid HTTP. If the connection has ended, the next request opens a new
 * connection.
 */
export class Connection {
  readonly #url: URL
  #socket: Socket | undefined

  constructor(baseUrl: string) {
    this.#url = new URL(baseUrl)
  }

  /**
   * Sends a request and returns the answer; undefined if the connection ended without an answer. Throws if no answer
   * arrives.
   */
  async exchange(request: FuzzRequest): Promise<FuzzAnswer | undefined> {
    const socket = this.#open()
    const answer = await new Promise<FuzzAnswer | undefined>((resolve, reject) => {
      let received = Buffer.alloc(0)
      const timer = setTimeout(() => settle(() => reject(new Error('no answer came'))), ANSWER_MS)
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        socket.removeAllListeners()
        // An error that arrives later doesn't belong to a request.
        socket.on('error', () => undefined)
        finish()
      }
      const read = (isOver: boolean) => {
        const found = parseAnswer(received, request.method === 'HEAD')
        if (found !== undefined || isOver) settle(() => resolve(found))
      }
      socket.on('data', (bytes: Buffer) => {
        received = Buffer.concat([received, bytes])
        read(false)
      })
      socket.on('error', () => read(true))
      socket.on('close', () => read(true))
      socket.write(bytesOf(request, this.#url.host))
      if (request.isCutShort === true) socket.end()
    })
    const isOver = answer?.headers.get('connection') !== 'keep-alive'
    if (isOver || request.isCutShort === true) this.close()
    return answer
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    if (this.#socket?.writable === true) return this.#socket
    this.#socket = connect({ host: this.#url.hostname, port: Number(this.#url.port) })
    this.#socket.setNoDelay(true)
    return this.#socket
  }
}

/** The answer at the start of the bytes; undefined if the answer isn't complete yet. */
function parseAnswer(bytes: Buffer, isHead: boolean): FuzzAnswer | undefined {
  const end = bytes.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(first.split(' ')[1])
  const rest = bytes.subarray(end + END_OF_HEAD.length)
  // The status 100 Continue only permits the client to send the body. The answer follows.
  if (status === 100) return parseAnswer(rest, isHead)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = isHead ? 0 : Number(headers.get('content-length') ?? 0)
  if (rest.length < length) return undefined
  return { status, headers, text: rest.subarray(0, length).toString('utf8') }
}
