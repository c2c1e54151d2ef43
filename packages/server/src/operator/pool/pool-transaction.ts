import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { PROGRAM_ERRORS, unitPriceOf, type PriceStep } from '@sotto/protocol'
import type { Instruction, Signature } from '@solana/kit'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import {
  customCodeOf,
  errorText,
  sendTransaction,
  simulateTransaction,
} from '../../adapters/chain/settlement/send-transaction.ts'
import { signTransaction } from '../../adapters/chain/settlement/sign-transaction.ts'
import { sqlPriceStore } from '../../adapters/store/settlement/price-store.ts'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import type { Signer } from '../../ports/signer.ts'
import { offeredStep } from '../../settlement/pay/offered-price.ts'
import type { OperatorContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { Party } from '../asset/party.ts'
import { makeUnsigned, type UnsignedTransaction } from '../unsigned-transaction.ts'

/** A local chain confirms immediately, a public one within seconds. Each check also sends the transaction again. */
const [FIRST_POLL_MS, POLL_MS] = [50, 400] as const

/** The result of a command's transaction. */
export type Outcome =
  | { readonly signature: string; readonly unsigned?: undefined }
  | { readonly unsigned: UnsignedTransaction }

/** The operations on the chain that commands use. */
export interface OperatorChain {
  readonly rpc: ChainRpc
  /**
   * Signs, sends and waits for `confirmed`. If a party's key isn't on this machine, the transaction is only simulated,
   * and returned for others to sign. The first party pays the fee. @throws OperatorError.
   */
  readonly run: (
    parties: readonly [Party, ...Party[]],
    instructions: readonly Instruction[],
  ) => Promise<Outcome>
}

export function openOperatorChain(context: OperatorContext): OperatorChain {
  const { rpc } = context
  return { rpc, run: (parties, instructions) => run(context, rpc, parties, instructions) }
}

const haveKeys = (parties: readonly Party[]): parties is readonly [Signer, ...Signer[]] =>
  parties.every(({ sign }) => sign !== undefined)

async function run(
  context: OperatorContext,
  rpc: ChainRpc,
  parties: readonly [Party, ...Party[]],
  asked: readonly Instruction[],
): Promise<Outcome> {
  if (haveKeys(parties)) return { signature: await signAndLand(context, parties, asked) }
  const instructions = [...priceAt(await offered(context)), ...asked]
  const { wire, shown } = await makeUnsigned(rpc, parties[0].address, instructions)
  await assertWouldLand(rpc, wire)
  return { unsigned: shown }
}

/**
 * Signs, sends and waits for `confirmed`. A transaction that is proven dead is signed again on a new blockhash, at a
 * price that is one step higher. The higher price then applies to all transactions of the service, as after a dead
 * settlement.
 */
async function signAndLand(
  context: OperatorContext,
  parties: readonly [Signer, ...Signer[]],
  asked: readonly Instruction[],
): Promise<string> {
  const { rpc, database, prices } = context
  for (;;) {
    const step = await offered(context)
    const signed = await signTransaction(rpc, parties, [...priceAt(step), ...asked])
    await assertWouldLand(rpc, signed.wire)
    if (await land(context, signed)) return signed.signature
    if (step >= prices.ceiling) throw new OperatorError(`${PROVEN_DEAD}; ${AT_CEILING}`)
    await sqlPriceStore(database).raisePrice(step + 1)
  }
}

/** The start of the message about a transaction that can't land any more. */
export const PROVEN_DEAD =
  'the transaction did not land, and it is proven that it never will: nothing has changed'
const AT_CEILING =
  'the price is at SOTTO_UNIT_PRICE_MAX: raise it, or add endpoints to SOTTO_SEND_RPC_URLS, and run the command again'

/** The step that the service offers now. */
const offered = ({ database, prices }: OperatorContext): Promise<PriceStep> =>
  offeredStep({ store: sqlPriceStore(database), prices })

const priceAt = (step: PriceStep): Instruction[] =>
  step === 0 ? [] : [getSetComputeUnitPriceInstruction({ microLamports: unitPriceOf(step) })]

/** Simulates a transaction. @throws OperatorError with the program's message if it would be refused now. */
export async function assertWouldLand(rpc: ChainRpc, wire: Uint8Array): Promise<void> {
  const refusal = await simulateTransaction(rpc, wire)
  if (refusal !== undefined) throw new OperatorError(explain(refusal.reason))
}

/**
 * Sends a signed transaction until it is confirmed. False if the transaction is proven dead: a finalized slot is past
 * its last valid height, and the blocks of a node that reach that slot lack the transaction. @throws OperatorError if
 * it failed in a block.
 */
export async function land(
  { clock, rpc }: Pick<OperatorContext, 'clock' | 'rpc'>,
  signed: SignedSettlement,
): Promise<boolean> {
  for (let pauseMs: number = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MS)) {
    await sendTransaction(rpc, signed.wire)
    await clock.sleep(pauseMs)
    // The height is read first. If the height is past the last valid one, a status of that slot or later is final.
    const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: 'finalized' }).send()
    const signatures = [signed.signature as Signature]
    const options = { searchTransactionHistory: true }
    const { context, value } = await rpc.getSignatureStatuses(signatures, options).send()
    const [status] = value
    if (status?.err) throw new OperatorError(explain(status.err))
    if (status?.confirmationStatus && status.confirmationStatus !== 'processed') return true
    const isPast = blockHeight > signed.lastValidBlockHeight && context.slot >= absoluteSlot
    if (isPast && !status) return false
  }
}

/** The text of an error: the program's own message if the program refused, otherwise the chain's text. */
function explain(reason: unknown): string {
  const code = customCodeOf(reason)
  const known = PROGRAM_ERRORS.find((error) => error.code === code)
  if (known !== undefined) return `the program refuses: ${known.message} (${known.name})`
  return `the chain refuses the transaction: ${errorText(reason)}`
}
