import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a client and a server that can break all connections at once. */
export interface TcpProxy {
  readonly port: number
  /** Breaks the open connections and returns their number. New connections are accepted. */
  readonly cut: () => number
  /** While the proxy is down, connections are refused as soon as they are made. */
  readonly setDown: (isDown: boolean) => void
  readonly stop: () => Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let isDown = false
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (isDown) return void client.destroy()
    const target = connect(targetPort, '127.0.0.1')
    target.on('error', () => undefined)
    open.add(client)
    client.on('close', () => {
      open.delete(client)
      target.destroy()
    })
    target.on('close', () => client.destroy())
    client.pipe(target).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    const count = open.size
    for (const client of open) client.resetAndDestroy()
    return count
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    setDown: (next) => {
      isDown = next
      if (isDown) cut()
    },
    stop: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
