import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { Chain } from '../chain/chain.ts'
import type { Faults } from '../faults/faults.ts'
import { SubscriberConnection } from './subscriber-connection.ts'

/** Serves subscriptions to WebSocket clients that connect to any of the HTTP servers. */
export class SubscriptionServer {
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #connections = new Map<WebSocket, SubscriberConnection>()
  readonly #services: { chain: Chain; faults: Faults }
  readonly #stopListening: () => void

  constructor(services: { chain: Chain; faults: Faults }) {
    this.#services = services
    this.#stopListening = services.chain.listen({
      onBlock: (advance) => this.#each((connection) => connection.onBlock(advance)),
      onBatch: (batch) => this.#each((connection) => connection.onBatch(batch)),
    })
  }

  /** Upgrades an HTTP connection to WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#accept(client))
  }

  close(): void {
    this.#stopListening()
    for (const client of this.#connections.keys()) client.terminate()
    this.#sockets.close()
  }

  #accept(client: WebSocket): void {
    const send = (text: string) => {
      if (client.readyState === client.OPEN) client.send(text)
    }
    const connection = new SubscriberConnection(this.#services, send)
    this.#connections.set(client, connection)
    client.on('message', (data) => connection.receive(String(data)))
    client.on('close', () => this.#connections.delete(client))
    client.on('error', () => client.terminate())
  }

  #each(tell: (connection: SubscriberConnection) => void): void {
    for (const connection of this.#connections.values()) tell(connection)
  }
}
