import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import {
  customCodeOf,
  DEATHS,
  errorText,
  PROGRAM_ERRORS,
  unitPriceOf,
  type PriceStep,
} from '@sotto/protocol'
import { getTransactionDecoder, type Instruction, type Signature } from '@solana/kit'
import type { LookupTables } from '../../adapters/chain/settlement/compile-transaction.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import {
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
import { nonceAccountOf } from '../durable-nonce.ts'
import { makeUnsigned, type UnsignedTransaction } from '../unsigned-transaction.ts'
import { fateByNode, fateByNodes } from './proven-dead.ts'

/**
 * Pauses between two checks, in milliseconds. A local chain confirms immediately, and a public chain within seconds. A
 * check also sends the transaction again, and makes up to five requests, two of them with the same method. With the
 * longer pause, a command stays far below the limits of public nodes.
 */
const [FIRST_POLL_MS, POLL_MS] = [50, 2_000] as const

/** The result of a command's transaction. */
export type Outcome =
  | { readonly signature: string; readonly unsigned?: undefined }
  | { readonly unsigned: UnsignedTransaction }

/** Options of a transaction besides its instructions. */
export interface RunOptions {
  readonly tables?: LookupTables
  /** Tests the transaction before it is signed or printed. The default simulates it. @throws OperatorError. */
  readonly rehearse?: (wire: Uint8Array) => Promise<void>
  /**
   * The reason why a dead transaction must not be signed again, with the next step. If undefined, it may be signed
   * again.
   */
  readonly onceOnly?: string
}

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
  asked: readonly Instruction[],
  options: RunOptions = {},
): Promise<Outcome> {
  const { rpc } = context
  const { tables, rehearse = (wire) => assertWouldLand(rpc, wire), onceOnly } = options
  if (haveKeys(parties)) {
    return { signature: await signAndLand(context, parties, asked, { tables, rehearse, onceOnly }) }
  }
  const instructions = [...priceAt(await offered(context)), ...asked]
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
 * Signs, sends and waits for `confirmed`. A transaction that is proven dead is signed again with a new blockhash, at a
 * price that is one step higher. The higher price then applies to all transactions of the service, as it does after a
 * dead settlement.
 */
async function signAndLand(
  context: OperatorContext,
  parties: readonly [Signer, ...Signer[]],
  asked: readonly Instruction[],
  { tables, rehearse, onceOnly }: Attempt,
): Promise<string> {
  const { rpc, database, prices } = context
  for (;;) {
    const step = await offered(context)
    const instructions = [...priceAt(step), ...asked]
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
const DURABLE =
  'the transaction did not land yet, and it may still land: it has a durable nonce. Submit it again, or use up the nonce with ' +
  '`solana new-nonce` so that it never lands'
const DOUBTED =
  'the nodes differ on whether the transaction can still land: see with `pool show` whether it changed anything, ' +
  'repair the node that is wrong or take it out of SOTTO_RPC_URLS, and then run the command again'
const unknownFate = (signature: string): string =>
  `a node failed while the transaction ${signature} was sent, so it may have landed, or may still land: ` +
  'search for it on the chain before you run the command again'
const AT_CEILING =
  'the price is at SOTTO_UNIT_PRICE_MAX: raise it, or add endpoints to SOTTO_SEND_RPC_URLS, and run the command again'

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

/** Number of polls for which only the first node may report the transaction dead: about a minute. */
const DOUBTS_MAX = 30

/**
 * Sends a signed transaction until it is confirmed. Returns false if the transaction is proven dead: see `fateOf`. If
 * there are several nodes, at least two must report it dead. If there is only one node, it must report it dead twice in
 * a row.
 * @throws OperatorError if the transaction failed in a block, or if it is uncertain whether it can still land.
 */
export async function land(
  context: Pick<OperatorContext, 'clock' | 'rpc' | 'witnesses'>,
  signed: SignedSettlement,
): Promise<boolean> {
  try {
    return await sendUntilKnown(context, signed)
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw new OperatorError(unknownFate(signed.signature), { cause })
  }
}

async function sendUntilKnown(
  context: Pick<OperatorContext, 'clock' | 'rpc' | 'witnesses'>,
  signed: SignedSettlement,
): Promise<boolean> {
  const { clock, rpc, witnesses = [] } = context
  const isOnNonce = nonceAccountOf(getTransactionDecoder().decode(signed.wire)) !== undefined
  let deaths = 0
  let doubts = 0
  for (let pauseMs: number = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MS)) {
    await sendTransaction(rpc, signed.wire)
    await clock.sleep(pauseMs)
    if (await isConfirmed(rpc, signed)) return true
    // The other nodes are queried only once the first node reports the transaction dead.
    const isDead = (await fateByNode(rpc, signed)) === 'dead'
    if (isDead && isOnNonce) throw new OperatorError(DURABLE)
    deaths = isDead ? deaths + 1 : 0
    if (witnesses.length === 0) {
      if (deaths >= DEATHS) return false
    } else if (isDead) {
      if ((await fateByNodes(witnesses, signed)) === 'dead') return false
      doubts += 1
      if (doubts >= DOUBTS_MAX) throw new OperatorError(DOUBTED)
    }
  }
}

/** True if a confirmed block has the transaction. @throws OperatorError if the transaction failed in its block. */
async function isConfirmed(rpc: ChainRpc, { signature }: SignedSettlement): Promise<boolean> {
  const options = { searchTransactionHistory: true }
  const { value } = await rpc.getSignatureStatuses([signature as Signature], options).send()
  const [status] = value
  if (status?.err) throw new OperatorError(explain(status.err))
  return Boolean(status?.confirmationStatus && status.confirmationStatus !== 'processed')
}

/**
 * The text of an error: the program's own message if the program refused the transaction, otherwise the chain's text.
 */
function explain(reason: unknown): string {
  const code = customCodeOf(reason)
  const known = PROGRAM_ERRORS.find((error) => error.code === code)
  if (known !== undefined) return `the program refuses: ${known.message} (${known.name})`
  return `the chain refuses the transaction: ${errorText(reason)}`
}
