import type { Base64EncodedWireTransaction } from '@solana/kit'
import { customCodeOf, PROGRAM_ERRORS } from '@sotto/protocol'
import type { SimulatedSettlement } from '../../../ports/settlement-chain.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { fromEach } from './witnesses.ts'

const base64 = (wire: Uint8Array) =>
  Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction

/**
 * Sends a transaction to the cluster. The caller has already simulated it, so the node doesn't simulate it again. The
 * node forwards the transaction only once. If the transaction doesn't land, the caller must send it again.
 */
export async function sendTransaction(
  rpc: ChainRpc,
  wire: Uint8Array,
  abortSignal?: AbortSignal,
): Promise<void> {
  await rpc
    .sendTransaction(base64(wire), { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
    .send(abortSignal && { abortSignal })
}

/** Errors of a node that isn't up to date. Such an error doesn't mean that the transaction is invalid. */
const NOT_THE_TRANSACTIONS_FAULT = ['BlockhashNotFound', 'ClusterMaintenance']

/** Simulates a transaction. Returns the error with which it would fail now; undefined if it would succeed. */
export async function simulateTransaction(
  rpc: ChainRpc,
  wire: Uint8Array,
): Promise<{ readonly reason: unknown } | undefined> {
  const { value } = await rpc
    .simulateTransaction(base64(wire), {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
    })
    .send()
  if (value.err === null) return undefined
  if (NOT_THE_TRANSACTIONS_FAULT.some((name) => name === value.err)) {
    throw new Error('the RPC node is not up to date')
  }
  return { reason: value.err }
}

/** The program's errors if it has no root at the given index, or if that root differs from the proof's root. */
const ROOT_REFUSED: readonly number[] = PROGRAM_ERRORS.filter(
  ({ name }) => name === 'ProofInvalid' || name === 'RootUnknown',
).map(({ code }) => code)

/**
 * Simulates a settlement, and returns the outcome that it would have now. With several nodes, a settlement is refused
 * only if no node accepts it. Otherwise one node could turn every delivery into a refund.
 */
export async function simulateSettlement(
  rpc: ChainRpc,
  witnesses: readonly ChainRpc[],
  wire: Uint8Array,
): Promise<SimulatedSettlement> {
  const simulated = await simulateAt(rpc, wire)
  if (simulated === 'accepted' || witnesses.length < 2) return simulated
  const others = await fromEach(witnesses, (one) => simulateAt(one, wire))
  return others.includes('accepted') ? 'accepted' : simulated
}

async function simulateAt(rpc: ChainRpc, wire: Uint8Array): Promise<SimulatedSettlement> {
  const refusal = await simulateTransaction(rpc, wire)
  if (refusal === undefined) return 'accepted'
  const code = customCodeOf(refusal.reason)
  return code !== undefined && ROOT_REFUSED.includes(code) ? 'root_refused' : 'refused'
}
