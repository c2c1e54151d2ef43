import { createSocket } from 'node:dgram'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { nameResolver, type Resolve } from '../../src/adapters/webhooks/checked-target.ts'
import { httpSender } from '../../src/adapters/webhooks/http-sender.ts'
import { isPublicAddress } from '../../src/adapters/webhooks/public-address.ts'
import { startReceiver, type Receiver } from './receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const message = (url: string) => ({
  ...{ url, id: 'evt_x', timestampSeconds: 1, body: '{}' },
  secrets: [new Uint8Array(32)],
})
const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses

describe('an address', () => {
  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
    ...['::ffff:a9fe:a9fe', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1'],
    ...['2001:db8::1', '2002:7f00:1::', '2001:0:7f00:1::', '::127.0.0.1'],
  ])('is refused if it is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '172.15.255.255',
    '9.9.9.9',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('is accepted if it is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('an endpoint is refused', () => {
  const sender = httpSender({ allowsLoopback: false, resolve: answering('127.0.0.1') })
  it.each([
    ...['https://127.0.0.1/', 'https://[::1]/', 'https://2130706433/', 'https://0x7f.1/'],
    ...['https://169.254.169.254/latest/meta-data/', 'https://[::ffff:10.0.0.1]/'],
    ...['https://partner.example/', 'http://partner.example/', 'http://1.1.1.1/', 'ftp://1.1.1.1/'],
    ...['https://user:pass@1.1.1.1/', 'https://1.1.1.1/#x', 'partner.example', '', 'file:///etc'],
  ])('with %s', async (url) => {
    expect(await sender.refusalOf(url)).toEqual(expect.any(String))
    expect(await sender.send(message(url))).toEqual({ kind: 'refused' })
  })

  it('for the same reason if one of its addresses is private, or if it has no address', async () => {
    const mixed = httpSender({ allowsLoopback: false, resolve: answering('1.1.1.1', '10.0.0.1') })
    const none = httpSender({ allowsLoopback: false, resolve: answering() })
    for (const one of [mixed, none]) {
      const url = 'https://vault.internal/'
      expect(await one.refusalOf(url)).toBe('its name must have public addresses only')
      expect(await one.refusalOf('http://vault.internal/')).toBe('it must be https')
      expect(await one.send(message(url))).toEqual({ kind: 'refused' })
    }
    const fine = httpSender({ allowsLoopback: false, resolve: answering('1.1.1.1') })
    expect(await fine.refusalOf('https://partner.example/')).toBeUndefined()
  })

  it('without TLS, except on this machine in development', async () => {
    const lax = httpSender({ allowsLoopback: true, resolve: answering('1.1.1.1') })
    expect(await lax.refusalOf('http://partner.example/')).toBe('it must be https')
    expect(await lax.refusalOf('https://192.168.0.1/')).toBe('its address is not public')
    expect(await lax.refusalOf(receiver.url)).toBeUndefined()
  })
})

it('an endpoint whose name later resolves to this network gets no message', async () => {
  let answers = ['1.1.1.1']
  const resolve = async () => answers
  const sender = httpSender({ allowsLoopback: false, resolve })
  const url = `https://partner.example:${receiver.port}/`
  expect(await sender.refusalOf(url)).toBeUndefined()
  answers = ['127.0.0.1']
  expect(await sender.send(message(url))).toEqual({ kind: 'refused' })
  expect(receiver.received).toEqual([])
})

it('a message goes to the address that was checked', async () => {
  let asked = 0
  const resolve = async () => {
    asked += 1
    // A second DNS query would return an address that doesn't respond.
    return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
  }
  const sender = httpSender({ allowsLoopback: true, resolve })
  const sent = await sender.send(message(`http://partner.example:${receiver.port}/hook`))
  expect(sent).toEqual({ kind: 'answered', status: 204 })
  expect(asked).toBe(1)
  expect(receiver.received.at(-1)?.headers['host']).toBe(`partner.example:${receiver.port}`)
})

it('a sender limits its wait for an answer and the part of an answer that it reads', async () => {
  const sender = httpSender({ allowsLoopback: true, timeoutMs: 200 })
  receiver.answer = 'never'
  expect(await sender.send(message(receiver.url))).toEqual({ kind: 'timeout' })
  receiver.answer = 200
  const patient = httpSender({ allowsLoopback: true, timeoutMs: 60_000 })
  // The receiver sends a megabyte, and the sender reads only a part.
  expect(await patient.send(message(receiver.url))).toEqual({ kind: 'answered', status: 200 })
  expect(await patient.send(message('http://127.0.0.1:1/'))).toEqual({ kind: 'unreachable' })
})

it('the wait for name servers is limited', async () => {
  // This name server never answers.
  const server = createSocket('udp4')
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const resolve = nameResolver([`127.0.0.1:${server.address().port}`])
  const sender = httpSender({ allowsLoopback: false, resolve, timeoutMs: 200 })
  const url = 'https://partner.example/'
  expect(await sender.send(message(url))).toEqual({ kind: 'timeout' })
  expect(await sender.refusalOf(url)).toBe('its name servers did not answer in time')
  server.close()
})

it('a name that cannot be resolved does not count as a private address', async () => {
  // This name server fails to answer each query (SERVFAIL).
  const server = createSocket('udp4').on('message', (query, { port }) => {
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8182, 2)
    server.send(answer, port, '127.0.0.1')
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const resolve = nameResolver([`127.0.0.1:${server.address().port}`])
  const sender = httpSender({ allowsLoopback: false, resolve, timeoutMs: HUNG_MS })
  const url = 'https://partner.example/'
  expect(await sender.send(message(url))).toEqual({ kind: 'unreachable' })
  expect(await sender.refusalOf(url)).toBe('its name servers did not answer')
  server.close()
})

it('a receiver that sends informational answers without end is not read further', async () => {
  const flood = 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)
  const server = createServer((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(flood));
    }
    socket.on('error', () => undefined).on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sender = httpSender({ allowsLoopback: true, timeoutMs: 60_000 })
  const sent = await sender.send(message(`http://127.0.0.1:${port}/`))
  expect(sent).toEqual({ kind: 'unreachable' })
  await new Promise((resolve) => server.close(resolve))
})

it('a connection that takes long is not given up for an address that cannot be reached', async () => {
  receiver.answer = 204
  // While this process stalls, its connection to the first address counts as slow.
  const stall = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  const stallOnce = (opened: unknown) => {
    const { socket } = opened as { readonly socket: Socket }
    socket.once('connectionAttempt', () => process.nextTick(stall))
  }
  const resolve = async () => {
    // The connection begins in the phase of the event loop after which overdue timers run first.
    await new Promise(setImmediate)
    return ['127.0.0.1', '::1']
  }
  const sender = httpSender({ allowsLoopback: true, resolve, timeoutMs: HUNG_MS })
  subscribe('net.client.socket', stallOnce)
  const sent = await sender.send(message(`http://partner.example:${receiver.port}/hook`))
  unsubscribe('net.client.socket', stallOnce)
  expect(sent).toEqual({ kind: 'answered', status: 204 })
})

it.each([
  [
    'changes the protocol',
    'HTTP/1.1 101 Next\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'answered',
  ],
  [
    'ends the connection within its answer',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n',
    'unreachable',
  ],
  ['answers nothing', '', 'unreachable'],
])('sending ends if a receiver %s', async (_what, answer, kind) => {
  const server = createServer((socket) => {
    // A sender that has read enough resets the connection.
    socket.on('error', () => undefined).once('data', () => socket.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sender = httpSender({ allowsLoopback: true })
  expect((await sender.send(message(`http://127.0.0.1:${port}/`))).kind).toBe(kind)
  await new Promise((resolve) => server.close(resolve))
})
