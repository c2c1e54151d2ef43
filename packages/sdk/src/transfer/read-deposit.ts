import type { Order } from '@sotto/contract'
import {
  CLOCK_SYSVAR,
  CLOSE_DELAY_SECONDS,
  orderAddress,
  poolAddress,
  shownClock,
  shownOrder,
  shownPool,
  type ShownAccount,
  unixSeconds,
  type UnixSeconds,
} from '@sotto/protocol'
import { readTogether, RecoveryError } from '@sotto/recovery'
import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Address,
  type Commitment,
} from '@solana/kit'
import { orderIdOf, secondsOf } from '../verify/expected-terms.ts'
import type { TransferContext } from './transfer-context.ts'

interface WithOrder {
  readonly request: { readonly senderAddress: string }
  readonly order: Pick<Order, 'trackingId' | 'expiration' | 'transaction'>
}

/**
 * `absent`: the chain has no deposit with the order's id. `paid`: it has the sender's deposit. `taken`: it has
 * another deposit with the order's id. As long as that deposit's account exists, the sender's deposit can't land.
 */
export type Deposit =
  | { readonly kind: 'absent' }
  | { readonly kind: 'paid'; readonly leafIndex: bigint }
  | { readonly kind: 'taken' }

/** An order's deposit on the chain, and the chain's clock in the same slot (seconds since 1970). */
export interface DepositReading {
  readonly clock: UnixSeconds
  readonly deposit: Deposit
}

type Reader = Pick<TransferContext, 'rpc' | 'programId'>

/**
 * Reads the Order account, which the program creates together with the deposit. Only one such account can exist for
 * an order at a time.
 */
export async function readDeposit(
  context: Reader,
  { request, order }: WithOrder,
  commitment: 'confirmed' | 'finalized',
): Promise<DepositReading> {
  const { programId } = context
  const account = await orderAddress(programId, orderIdOf(order.trackingId))
  const { clock, found, tree } = await readWithClock(context, account, commitment)
  assertSamePool(order, tree)
  const made = shownOrder(programId, found)
  if (made === undefined) return { clock, deposit: { kind: 'absent' } }
  const { sender, deadline, leafIndex } = made
  // After the account is closed, the holder of the authoriser's key can authorise another deposit with the same id.
  const isOurs = sender === request.senderAddress && deadline === secondsOf(order.expiration)
  return { clock, deposit: isOurs ? { kind: 'paid', leafIndex } : { kind: 'taken' } }
}

/**
 * The first second of the chain's clock at which anyone may close the account of the order's deposit. Before it, the
 * account of a deposit that landed is certain to exist.
 */
export const closesAt = ({ expiration }: Pick<Order, 'expiration'>): UnixSeconds =>
  unixSeconds(secondsOf(expiration) + CLOSE_DELAY_SECONDS)

/**
 * If the same program has pools on two clusters, a node of the other cluster shows a Pool too. The deposits that it
 * shows prove nothing. Every pool has its Tree at a random address, and each deposit names its pool's Tree.
 * @throws RecoveryError WRONG_CLUSTER if the node's pool has another Tree than the order's transaction names.
 */
function assertSamePool({ transaction }: Pick<Order, 'transaction'>, tree: Address): void {
  if (accountsOf(transaction)?.includes(tree) === false) throw wrongCluster()
}

const wrongCluster = () =>
  new RecoveryError(
    'WRONG_CLUSTER',
    'the node shows another pool or none, so it proves nothing: check program and node',
  )

/** The accounts that a transaction names; undefined if it can't be decoded. Such a transaction was never verified. */
function accountsOf(transaction: string): readonly Address[] | undefined {
  try {
    const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
    return getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts
  } catch {
    return undefined
  }
}

/**
 * An account of the program and the chain's clock, both read from the same slot. A node of another cluster shows none
 * of the program's accounts, so a missing account is a proof only if the node shows the program's Pool.
 * @throws RecoveryError WRONG_CLUSTER if the node shows no Pool of the program.
 */
export async function readWithClock(
  { rpc, programId }: Reader,
  account: Address,
  commitment: Commitment,
): Promise<{ clock: UnixSeconds; found: ShownAccount | undefined; tree: Address }> {
  const named = [CLOCK_SYSVAR, account, await poolAddress(programId)]
  const [clock, found, pool] = await readTogether(rpc, named, commitment)
  const shown = shownPool(programId, pool)
  if (shown === undefined) throw wrongCluster()
  return { clock: shownClock(clock), found, tree: shown.tree }
}

/** The chain's clock at `finalized`. This request doesn't show the node which order the caller follows. */
export async function readClock(rpc: TransferContext['rpc']): Promise<UnixSeconds> {
  const [clock] = await readTogether(rpc, [CLOCK_SYSVAR], 'finalized')
  return shownClock(clock)
}

/**
 * The block height at `confirmed`. Use it to decide when to refresh a transaction. It doesn't prove that a transaction
 * can't land.
 */
export const readHeight = ({ rpc }: Pick<TransferContext, 'rpc'>): Promise<bigint> =>
  rpc.getBlockHeight({ commitment: 'confirmed' }).send()
