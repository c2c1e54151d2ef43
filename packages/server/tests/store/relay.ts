import { parseWhole } from '@sotto/protocol'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A TCP relay in front of a database. A test can reset the connections, or stop the relay from forwarding their data.
 */
export interface Relay {
  /** The database's URL through this relay. */
  readonly url: string
  /** Resets every open connection. */
  readonly cut: () => void
  /** Drops all further data on the connections that are open now. New connections work normally. */
  readonly silence: () => void
  readonly stop: () => Promise<void>
}

export async function startRelay(databaseUrl: string): Promise<Relay> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => (silent.has(from) ? undefined : to.write(bytes)))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: parseWhole(port) })
    pass(client, upstream)
    pass(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    silence: () => sockets.forEach((socket) => silent.add(socket)),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
