import {
  createSolanaRpcFromTransport,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type RpcTransport,
} from '@solana/kit'
import { PROGRAM_ERRORS } from '@sotto/protocol'
import type { RecoveryRpc } from '../index.ts'

/**
 * What happens to a transaction. `hidden`: it lands, but the node shows no status of it. `stale`: it is in a block, but
 * the program refused its root. `spent`: it is in a block, but the program refused it because its note was spent.
 */
export type Verdict = 'land' | 'drop' | 'hidden' | 'stale' | 'spent'

const refusedWith = (name: string) => ({
  err: { InstructionError: [2, { Custom: codeOf(name) }] },
  confirmationStatus: 'confirmed',
})
const LANDED = { err: null, confirmationStatus: 'confirmed' }

/** The number of one of the program's errors. */
function codeOf(name: string): number | undefined {
  return PROGRAM_ERRORS.find((error) => error.name === name)?.code
}

const LIFETIME = 150

/** A node whose leaders drop transactions. Its blocks pass only while the caller waits. */
export interface CongestedRpc {
  readonly rpc: RecoveryRpc
  /** For each signature, how often its bytes arrived, in the order of arrival. */
  readonly arrivals: Map<string, number>
  /** The compute unit prices of the transactions, in micro-lamports, in the order of their first arrival. */
  readonly prices: bigint[]
  /** Advances this node's clock by `ms` milliseconds, and its block height by `blocksPerSleep`. */
  readonly sleep: (ms: number) => Promise<void>
  /** The time that the caller has waited, in milliseconds. */
  readonly nowMs: () => number
}

/** @param judge returns the verdict on a transaction, given the transaction's number, counted from 1. */
export function congestedRpc(
  inner: RecoveryRpc,
  judge: (number: number) => Verdict,
  blocksPerSleep = 10,
): CongestedRpc {
  const arrivals = new Map<string, number>()
  const prices: bigint[] = []
  const statuses = new Map<string, object>()
  let height = 1_000
  let passedMs = 0
  const context = () => ({ slot: height })
  const send = async (wire: string) => {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
    const signature = getSignatureFromTransaction(transaction)
    const times = (arrivals.get(signature) ?? 0) + 1
    arrivals.set(signature, times)
    if (times > 1) return signature
    prices.push(priceIn(transaction.messageBytes))
    const verdict = judge(arrivals.size)
    if (verdict === 'drop') return signature
    if (verdict === 'stale') statuses.set(signature, refusedWith('ProofInvalid'))
    else if (verdict === 'spent') statuses.set(signature, refusedWith('NullifierSpent'))
    else await inner.sendTransaction(wire as never, { encoding: 'base64' }).send()
    if (verdict === 'land') statuses.set(signature, LANDED)
    return signature
  }
  const answers: Record<string, (params: never[]) => unknown> = {
    sendTransaction: ([wire]) => send(wire!),
    getRecentPrioritizationFees: () => [],
    getEpochInfo: () => ({ absoluteSlot: height, blockHeight: height }),
    isBlockhashValid: () => ({ context: context(), value: false }),
    getSignatureStatuses: ([signatures]) => ({
      context: context(),
      value: (signatures as unknown as string[]).map((one) => statuses.get(one) ?? null),
    }),
    getLatestBlockhash: async () => {
      const { value } = await inner.getLatestBlockhash().send()
      return { context: context(), value: { ...value, lastValidBlockHeight: height + LIFETIME } }
    },
  }
  const passOn = (method: string, params: readonly unknown[]) =>
    (inner as unknown as Record<string, (...all: readonly unknown[]) => { send(): unknown }>)[
      method
    ]!(...params).send()
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: never[] }
    const result = await (answers[method]?.(params) ?? passOn(method, params))
    return { jsonrpc: '2.0', id, result } as Response
  }
  return {
    ...{ rpc: createSolanaRpcFromTransport(transport), arrivals, prices },
    sleep: async (ms) => {
      height += blocksPerSleep
      passedMs += ms
    },
    nowMs: () => passedMs,
  }
}

/** The price in the data of the compute budget's instruction SetComputeUnitPrice, which has the tag 3. */
function priceIn(
  messageBytes: Parameters<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>[0],
): bigint {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version !== 0) throw new Error('a recovery sends only transactions of version 0')
  const found = message.instructions.find(
    ({ programAddressIndex, data }) =>
      data?.[0] === 3 && message.staticAccounts[programAddressIndex]?.startsWith('ComputeBudget'),
  )
  return found?.data === undefined
    ? 0n
    : new DataView(Uint8Array.from(found.data).buffer).getBigUint64(1, true)
}
