import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'

export type ChainRpc = Rpc<SolanaRpcApi>

/** Longer than any answer takes that is still of use; a node that hangs counts as down. */
const TIMEOUT_MS = 15_000

/** An RPC client whose requests all end. */
export function createRpcClient(url: string): ChainRpc {
  const transport = createDefaultRpcTransport({ url })
  const bounded: RpcTransport = (request) => {
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...(request.signal ? [request.signal] : [])]
    return transport({ ...request, signal: AbortSignal.any(limits) })
  }
  return createSolanaRpcFromTransport(bounded)
}
