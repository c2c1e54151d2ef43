import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that a third party's service received. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The number of the connection on which the request arrived. */
  readonly connection: number
}

export interface Answered {
  readonly status: number
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The fault of one response. With `hang` there is no response. With `cut` the response ends in the middle. */
export type Fault = 'hang' | 'cut' | 'garbage' | 'refuse' | number

/** A third party's service, on its own port. */
export interface RemoteServer {
  readonly url: string
  readonly asked: Asked[]
  /** Faults for the next responses, one after the other. */
  readonly faults: Fault[]
  readonly close: () => Promise<void>
}

export async function startRemote(
  handle: (asked: Asked) => Answered | Promise<Answered>,
): Promise<RemoteServer> {
  const asked: Asked[] = []
  const faults: Fault[] = []
  const connections = new Map<Socket, number>()
  const server = createServer((request, response) => {
    void (async () => {
      const { socket, method = 'GET', url = '/' } = request
      if (!connections.has(socket)) connections.set(socket, connections.size)
      const one: Asked = {
        ...{ method, url: new URL(url, 'http://remote'), body: await text(request) },
        headers: request.headers as Record<string, string>,
        connection: connections.get(socket) ?? -1,
      }
      asked.push(one)
      const fault = faults.shift()
      if (fault === undefined) send(response, await handle(one))
      else fail(response, fault)
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}`, asked, faults },
    close: async () => {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

function send(response: ServerResponse, { status, json, headers }: Answered): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(json === undefined ? undefined : JSON.stringify(json))
}

function fail(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return
  if (fault === 'refuse') return void response.destroy()
  if (fault === 'garbage') return void response.writeHead(200).end('<html>It works!</html>')
  if (typeof fault === 'number') return void response.writeHead(fault).end()
  response.writeHead(200, { 'Content-Length': '4096' })
  response.write('{"data":', () => response.destroy())
}
