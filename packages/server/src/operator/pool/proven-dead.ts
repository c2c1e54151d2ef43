import { DEATHS, fateOf, type Fate } from '@sotto/protocol'
import { getTransactionDecoder, type Signature } from '@solana/kit'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import { lifetimeOf, nonceAccountOf, readNonce } from '../durable-nonce.ts'

/** A signed transaction that a command sends. */
export interface SentTransaction extends SignedSettlement {
  /**
   * A slot at which the transaction's durable nonce was still unused. If it is absent, a transaction with a nonce never
   * counts as dead.
   */
  readonly nonceSlot?: bigint
}

/**
 * One node's verdict on a signed transaction: see `fateOf`. A transaction with a durable nonce is dead once another
 * transaction has used its nonce.
 */
export async function fateByNode(
  rpc: ChainRpc,
  signed: SentTransaction,
  abortSignal?: AbortSignal,
): Promise<Fate> {
  const transaction = getTransactionDecoder().decode(signed.wire)
  const lifetime = lifetimeOf(transaction)
  const account = nonceAccountOf(transaction)
  if (account === undefined) return fateOf(rpc, { ...signed, blockhash: lifetime }, abortSignal)
  const { nonceSlot } = signed
  if (account === 'unknown' || nonceSlot === undefined) return 'open'
  // A node that lags shows an older nonce. So the nonce is read at `nonceSlot`, at which it was unused, or at a later
  // slot.
  const { slot, value } = await readNonce(rpc, account, { slotMin: nonceSlot, abortSignal })
  const { context, value: statuses } = await rpc
    .getSignatureStatuses([signed.signature as Signature], { searchTransactionHistory: true })
    .send(abortSignal && { abortSignal })
  if (statuses[0]) return 'in_block'
  return value !== lifetime && context.slot >= slot ? 'dead' : 'open'
}

/**
 * The verdict of several nodes. It is `dead` if at least two nodes report the transaction dead, and no node shows it in
 * a block.
 */
export async function fateByNodes(
  witnesses: readonly ChainRpc[],
  signed: SentTransaction,
): Promise<Fate> {
  const said = await fromEach(witnesses, (one) => fateByNode(one, signed))
  if (said.includes('in_block')) return 'in_block'
  return said.filter((one) => one === 'dead').length >= DEATHS ? 'dead' : 'open'
}
