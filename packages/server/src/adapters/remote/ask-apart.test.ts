import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askApart } from './ask-apart.ts'

let server: Server
let url: string
let sockets: Set<Socket>
let answer: (socket: Socket) => void
beforeEach(async () => {
  sockets = new Set()
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.on('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const ask = () => askApart({ service: 'screener', url, timeoutMs: 60_000 })

it('reads an answer', async () => {
  answer = (socket) => socket.end('HTTP/1.1 404 X\r\ncontent-length: 2\r\n\r\nno')
  expect(await ask()).toEqual({ status: 404, text: 'no' })
})

it('ends a request if the receiver switches to another protocol', async () => {
  answer = (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
  await expect(ask()).rejects.toMatchObject({ code: 'screener_no_answer' })
})

it('stops reading an answer that does not end', async () => {
  const part = `10000\r\n${' '.repeat(65_536)}\r\n`
  answer = (socket) => {
    const more = () => socket.write(part, (error) => (error ? undefined : more()))
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', more)
  }
  await expect(ask()).rejects.toMatchObject({ code: 'screener_too_large' })
  await expect.poll(() => sockets.size).toBe(0)
})
