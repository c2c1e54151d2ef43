import { getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { PROGRAM_ERRORS, unitPriceOf } from '@sotto/protocol'
import type { Instruction, Signature } from '@solana/kit'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import {
  customCodeOf,
  errorText,
  sendTransaction,
  simulateTransaction,
} from '../../adapters/chain/settlement/send-transaction.ts'
import { signTransaction } from '../../adapters/chain/settlement/sign-transaction.ts'
import { readPrice } from '../../adapters/store/settlement/price-store.ts'
import type { SignedSettlement } from '../../ports/settlement-chain.ts'
import type { Signer } from '../../ports/signer.ts'
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
  const instructions = [...(await priceOf(context)), ...asked]
  if (haveKeys(parties)) {
    const signed = await signTransaction(rpc, parties, instructions)
    await assertWouldLand(rpc, signed.wire)
    return { signature: await land(context, signed) }
  }
  const { wire, shown } = await makeUnsigned(rpc, parties[0].address, instructions)
  await assertWouldLand(rpc, wire)
  return { unsigned: shown }
}

/** The price that the service offers now; none before a worker has chosen one. */
async function priceOf({ database }: OperatorContext): Promise<Instruction[]> {
  const price = await readPrice(database)
  if (price === undefined || price.step === 0) return []
  return [getSetComputeUnitPriceInstruction({ microLamports: unitPriceOf(price.step) })]
}

/** Simulates a transaction. @throws OperatorError with the program's message if it would be refused now. */
export async function assertWouldLand(rpc: ChainRpc, wire: Uint8Array): Promise<void> {
  const refusal = await simulateTransaction(rpc, wire)
  if (refusal !== undefined) throw new OperatorError(explain(refusal.reason))
}

/** Sends a signed transaction until it is confirmed; returns its signature. @throws OperatorError. */
export async function land(
  { clock, rpc }: Pick<OperatorContext, 'clock' | 'rpc'>,
  signed: SignedSettlement,
): Promise<string> {
  for (let pauseMs: number = FIRST_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MS)) {
    await sendTransaction(rpc, signed.wire)
    await clock.sleep(pauseMs)
    const { value } = await rpc.getSignatureStatuses([signed.signature as Signature]).send()
    const status = value[0]
    if (status?.err) throw new OperatorError(explain(status.err))
    if (status?.confirmationStatus && status.confirmationStatus !== 'processed') {
      return signed.signature
    }
    const height = await rpc.getBlockHeight({ commitment: 'confirmed' }).send()
    if (height > signed.lastValidBlockHeight) {
      throw new OperatorError('the transaction did not land in time; run the command again')
    }
  }
}

/** The text of an error: the program's own message if the program refused, otherwise the chain's text. */
function explain(reason: unknown): string {
  const code = customCodeOf(reason)
  const known = PROGRAM_ERRORS.find((error) => error.code === code)
  if (known !== undefined) return `the program refuses: ${known.message} (${known.name})`
  return `the chain refuses the transaction: ${errorText(reason)}`
}
