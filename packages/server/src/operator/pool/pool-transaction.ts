import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { unitPriceOf, type PriceStep } from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import type { LookupTables } from '../../adapters/chain/settlement/compile-transaction.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { simulateTransaction } from '../../adapters/chain/settlement/send-transaction.ts'
import { signTransaction } from '../../adapters/chain/settlement/sign-transaction.ts'
import { sqlPriceStore } from '../../adapters/store/settlement/price-store.ts'
import type { Signer } from '../../ports/signer.ts'
import { offeredStep } from '../../settlement/pay/offered-price.ts'
import type { OperatorContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { Party } from '../asset/party.ts'
import { makeUnsigned, type UnsignedTransaction } from '../unsigned-transaction.ts'
import { explain, land } from './land.ts'

/** The result of a command's transaction. */
export type Outcome =
  | { readonly signature: string; readonly unsigned?: undefined }
  | { readonly unsigned: UnsignedTransaction }

/** Options of a transaction besides its instructions. */
export interface RunOptions {
  readonly tables?: LookupTables
  /**
   * Tests the transaction before it is signed or printed. By default, the transaction is simulated. @throws
   * OperatorError.
   */
  readonly rehearse?: (wire: Uint8Array) => Promise<void>
  /**
   * The reason why a dead transaction must not be signed again, with the next step. If undefined, the transaction may
   * be signed again.
   */
  readonly onceOnly?: string
}

/**
 * A transaction's instructions, or a function that makes them. The function is called again before each signature, so
 * that the instructions suit the present state of the chain.
 */
type Asked = readonly Instruction[] | (() => Promise<readonly Instruction[]>)

const instructionsOf = async (asked: Asked): Promise<readonly Instruction[]> =>
  typeof asked === 'function' ? asked() : asked

/** The operations on the chain that commands use. */
export interface OperatorChain {
  readonly rpc: ChainRpc
  /**
   * Signs and sends a transaction, and waits for `confirmed`. If a party's key isn't on this machine, the transaction
   * is only simulated, and returned for others to sign. The first party pays the fee. @throws OperatorError.
   */
  readonly run: (
    parties: readonly [Party, ...Party[]],
    instructions: Asked,
    options?: RunOptions,
  ) => Promise<Outcome>
}

export function openOperatorChain(context: OperatorContext): OperatorChain {
  const { rpc } = context
  return { rpc, run: (...asked) => run(context, ...asked) }
}

const haveKeys = (parties: readonly Party[]): parties is readonly [Signer, ...Signer[]] =>
  parties.every(({ sign }) => sign !== undefined)

async function run(
  context: OperatorContext,
  parties: readonly [Party, ...Party[]],
  asked: Asked,
  options: RunOptions = {},
): Promise<Outcome> {
  const { rpc } = context
  const { tables, rehearse = (wire) => assertWouldLand(rpc, wire), onceOnly } = options
  if (haveKeys(parties)) {
    return { signature: await signAndLand(context, parties, asked, { tables, rehearse, onceOnly }) }
  }
  const instructions = [...priceAt(await offered(context)), ...(await instructionsOf(asked))]
  const nonce = parties.flatMap((one) => ('nonce' in one ? (one.nonce ?? []) : []))[0]
  const { wire, shown } = await makeUnsigned(rpc, parties[0].address, instructions, nonce, tables)
  await rehearse(wire)
  return { unsigned: shown }
}

interface Attempt extends Pick<Required<RunOptions>, 'rehearse'> {
  readonly tables: LookupTables | undefined
  readonly onceOnly: string | undefined
}

/**
 * Signs and sends a transaction, and waits for `confirmed`. A transaction that is proven dead is signed again with a
 * new blockhash, at a price that is one step higher. The higher price then applies to all transactions of the service,
 * as it does after a dead settlement.
 */
async function signAndLand(
  context: OperatorContext,
  parties: readonly [Signer, ...Signer[]],
  asked: Asked,
  { tables, rehearse, onceOnly }: Attempt,
): Promise<string> {
  const { rpc, database, prices } = context
  for (;;) {
    const step = await offered(context)
    const instructions = [...priceAt(step), ...(await instructionsOf(asked))]
    const signed = await signTransaction(rpc, parties, instructions, { tables, rehearse })
    if (await land(context, signed)) return signed.signature
    if (step < prices.ceiling) await sqlPriceStore(database).raisePrice(step + 1)
    if (onceOnly !== undefined) throw new OperatorError(`${PROVEN_DEAD}; ${onceOnly}`)
    if (step >= prices.ceiling) throw new OperatorError(`${PROVEN_DEAD}; ${AT_CEILING}`)
  }
}

/** The start of the error message for a transaction that can't land any more. */
export const PROVEN_DEAD =
  'the transaction did not land, and it is proven that it never will: nothing has changed'
const AT_CEILING =
  'the price is at SOTTO_UNIT_PRICE_MAX: raise this maximum, or add endpoints to SOTTO_SEND_RPC_URLS, and run the command again'

/** The price step that the service offers now. */
const offered = ({ database, prices }: OperatorContext): Promise<PriceStep> =>
  offeredStep({ store: sqlPriceStore(database), prices })

const priceAt = (step: PriceStep): Instruction[] =>
  step === 0 ? [] : [getSetComputeUnitPriceInstruction({ microLamports: unitPriceOf(step) })]

/**
 * Simulates a transaction. @throws OperatorError with the program's message if the transaction would be refused now.
 */
export async function assertWouldLand(rpc: ChainRpc, wire: Uint8Array): Promise<void> {
  const refusal = await simulateTransaction(rpc, wire)
  if (refusal !== undefined) throw new OperatorError(explain(refusal.reason))
}
