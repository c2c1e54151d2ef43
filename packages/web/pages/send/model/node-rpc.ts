import { createPacedRpc } from '@sotto/protocol'
import { nodeUrl, type PageConfig } from './service.ts'

type NodeRpc = ReturnType<typeof createPacedRpc>

const clients = new Map<string, NodeRpc>()

/**
 * The client of the page's node. The whole page shares one client, because the node counts all requests of the page
 * together. The client waits while the node or the service's relay refuses requests.
 */
export function nodeRpc(config: PageConfig): NodeRpc {
  const url = nodeUrl(config)
  const known = clients.get(url)
  if (known !== undefined) return known
  const client = createPacedRpc(url)
  clients.set(url, client)
  return client
}
