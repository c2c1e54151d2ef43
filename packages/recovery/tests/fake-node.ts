import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit'
import type { RecoveryRpc } from '../index.ts'
import type { FakeChain } from './fake-chain.ts'

/** A node of a chain, and the requests that it was sent. */
export function nodeOf(chain: Pick<FakeChain, 'answer'>): {
  readonly rpc: RecoveryRpc
  readonly asked: string[]
} {
  const asked: string[] = []
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] }
    asked.push(method)
    const result = await Promise.resolve(chain.answer(method, params))
    return { jsonrpc: '2.0', id, result } as Response
  }
  return { rpc: createSolanaRpcFromTransport(transport), asked }
}
