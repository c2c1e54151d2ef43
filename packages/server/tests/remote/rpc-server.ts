import { startRemote, type RemoteServer } from './remote-server.ts'

/** A simulated node. A test can change all properties that influence which node a client of several nodes chooses. */
export interface RpcServer extends RemoteServer {
  slot: number
  genesis: string
  /** The result of `getTransaction`. */
  transaction: object | null
  /** The result of `getMultipleAccounts`. */
  accounts: unknown[]
  /** The result of `getSignaturesForAddress`. */
  listing: object[]
  /** If set, every method answers with this error. */
  error: { code: number; message: string } | undefined
  /** Every response waits for the promise that this function returns, except responses to the client's probes. */
  held: () => Promise<unknown>
  /** The methods of all requests, except the client's probes. */
  readonly methods: () => string[]
  readonly sent: string[]
}

const GENESIS = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'

export async function startRpc(slot: number): Promise<RpcServer> {
  const sent: string[] = []
  const remote = await startRemote(async ({ body }) => {
    const { id, method, params } = JSON.parse(body) as {
      id: string
      method: string
      params: [string]
    }
    const { error } = server
    if (id !== 'probe') await server.held()
    if (error !== undefined) return { status: 200, json: { jsonrpc: '2.0', id, error } }
    if (method === 'sendTransaction') sent.push(params[0])
    const results: Record<string, unknown> = {
      getGenesisHash: server.genesis,
      getSlot: server.slot,
      getBlockHeight: server.slot,
      getTransaction: server.transaction,
      getProgramAccounts: [],
      sendTransaction: 'signature',
      getSignaturesForAddress: server.listing,
      getMultipleAccounts: { context: { slot: server.slot }, value: server.accounts },
    }
    return { status: 200, json: { jsonrpc: '2.0', id, result: results[method] } }
  })
  const methods = () =>
    remote.asked
      .map(({ body }) => JSON.parse(body) as { id: string; method: string })
      .filter(({ id }) => id !== 'probe')
      .map(({ method }) => method)
  const server: RpcServer = Object.assign(remote, {
    ...{ slot, genesis: GENESIS, transaction: null, error: undefined, sent, methods },
    ...{ accounts: [], listing: [], held: async () => undefined },
  })
  return server
}
