import { orderAddress, shownClock, shownOrder } from '@sotto/protocol'
import { getBase64Encoder } from '@solana/kit'
import { CLOCK_SYSVAR } from '../verify/chain-facts.ts'
import { orderIdOf } from '../verify/expected-terms.ts'
import type { TransferContext } from './transfer-context.ts'

/**
 * `absent`: no deposit of the order. `paid`: the sender's. `taken`: another wallet's deposit has the
 * order's id, so that the sender's can never land.
 */
export type DepositSeen = 'absent' | 'paid' | 'taken'

/** What the Order account says; the program makes it with the deposit, and only one can be made. */
export async function seeDeposit(
  { rpc, programId }: TransferContext,
  trackingId: string,
  sender: string,
  commitment: 'confirmed' | 'finalized',
): Promise<DepositSeen> {
  const account = await orderAddress(programId, orderIdOf(trackingId))
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment }).send()
  const shown = value && { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
  const order = shownOrder(programId, shown ?? undefined)
  if (order === undefined) return 'absent'
  return order.sender === sender ? 'paid' : 'taken'
}

/** The height at `confirmed`; it says when to refresh and never that something is dead. */
export const readHeight = ({ rpc }: TransferContext): Promise<bigint> =>
  rpc.getBlockHeight({ commitment: 'confirmed' }).send()

/** Seconds of the chain's clock at a finalized slot. */
export async function readFinalClock({ rpc }: TransferContext): Promise<bigint> {
  const options = { encoding: 'base64', commitment: 'finalized' } as const
  const { value } = await rpc.getAccountInfo(CLOCK_SYSVAR, options).send()
  const shown = value && { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
  return shownClock(shown ?? undefined)
}
