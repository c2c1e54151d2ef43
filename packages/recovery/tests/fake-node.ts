import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit'
import type { RecoveryRpc } from '../index.ts'
import { NodeRefusal, type FakeChain } from './fake-chain.ts'

/** A node of a chain, and the requests that it received. */
export function nodeOf(chain: Pick<FakeChain, 'answer'>): {
  readonly rpc: RecoveryRpc
  readonly asked: string[]
} {
  const asked: string[] = []
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] }
    asked.push(method)
    try {
      const result = await Promise.resolve(chain.answer(method, params))
      return { jsonrpc: '2.0', id, result } as Response
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      const { code, message } = error
      return { jsonrpc: '2.0', id, error: { code, message } } as Response
    }
  }
  return { rpc: createSolanaRpcFromTransport(transport), asked }
}
