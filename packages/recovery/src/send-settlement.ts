import {
  lastLandingClock,
  mayBeSent,
  nullifierAddress,
  settlementLayout,
  unitPriceOf,
  type Address,
  type MortalTransaction,
  type PriceStep,
  type RootPlace,
  type SettleInputs,
} from '@sotto/protocol'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type AccountSignerMeta,
  type Base64EncodedWireTransaction,
  type Instruction,
  type Signature,
  type TransactionSigner,
} from '@solana/kit'
import { assertAcceptedProgram, type AcceptedPrograms } from './accepted-program.ts'
import { settlementStep, type PriorityLimits } from './priority-fee.ts'
import { readTokenProgram, type RecoveryRpc, type TreeAtSlot } from './read-accounts.ts'
import type { SettlementFacts } from './settlement-end.ts'

/** A settlement with its proof, and the values that are needed to send it. */
export interface ProvedSettlement {
  readonly rpc: RecoveryRpc
  readonly payer: TransactionSigner
  readonly chain: TreeAtSlot
  readonly mint: Address
  readonly root: RootPlace
  readonly payee: Address
  readonly inputs: SettleInputs
  readonly proof: Uint8Array
  readonly limits: PriorityLimits & AcceptedPrograms
}

/**
 * The same instruction without signer objects. The generated instruction contains a placeholder in place of the payer's
 * signer object. The placeholder can't sign, and conflicts with the caller's signer object. The account keeps its
 * signer role, so the payer must still sign.
 */
const withoutSigners = (instruction: Instruction): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((account) => {
    const { signer: _signer, ...meta } = account as AccountSignerMeta
    return meta
  }),
})

async function instructionsOf(
  settlement: ProvedSettlement,
  step: PriceStep,
): Promise<Instruction[]> {
  const { chain, inputs, mint, payee, proof, root } = settlement
  const tokenProgram = await readTokenProgram(settlement.rpc, mint)
  const at = { program: chain.program, tree: chain.address, payer: settlement.payer.address }
  const layout = await settlementLayout(
    { ...at, tokenProgram },
    mint,
    {
      isRefund: inputs.refund === 1n,
      root,
      nullifier: inputs.nullifier,
      payout: inputs.payout,
      fee: inputs.fee,
      payee,
      changeLeaf: inputs.changeLeaf,
      time: inputs.time,
      proof,
    },
    unitPriceOf(step),
    // Create the payee's account if it doesn't exist. The payer pays for the account, so no one can create accounts at
    // someone else's expense.
    true,
  )
  return layout.map(withoutSigners)
}

const NODE_UNHEALTHY = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY
const BLOCKHASH_NOT_FOUND = SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND

/** True if a node refused a settlement only because the node lags: it doesn't know the newest blockhash yet. */
export const isOfLaggingNode = (error: unknown): boolean =>
  isSolanaError(error, NODE_UNHEALTHY) ||
  (error instanceof Error && isSolanaError(error.cause, BLOCKHASH_NOT_FOUND))

/** A signed settlement, the price step that it offers, and the node to which it is sent. */
export interface SignedSettlement extends MortalTransaction, SettlementFacts {
  readonly rpc: RecoveryRpc
  readonly signature: Signature
  readonly wire: Base64EncodedWireTransaction
  readonly step: PriceStep
}

/**
 * Signs a settlement that offers at least the price step `least`. If the limits don't allow this step, the settlement
 * offers the highest allowed step.
 *
 * @throws RecoveryError as `assertAcceptedProgram` does.
 */
export async function signSettlement(
  settlement: ProvedSettlement,
  least: PriceStep = 0,
): Promise<SignedSettlement> {
  const { rpc, payer, chain, limits } = settlement
  // Checked again, because finding and proving the note can take hours, and the program may be replaced meanwhile.
  await assertAcceptedProgram(rpc, chain.program, limits)
  const step = await settlementStep(rpc, chain.address, limits, least)
  const instructions = await instructionsOf(settlement, step)
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  const wire = getBase64EncodedWireTransaction(transaction)
  const { program } = chain
  const { inputs } = settlement
  const nullifier = await nullifierAddress(program, inputs.nullifier)
  return {
    ...{ rpc, signature: getSignatureFromTransaction(transaction), wire, step, ...lifetime },
    ...{ program, nullifier, until: lastLandingClock(inputs.time, inputs.refund === 1n) },
  }
}

/**
 * Broadcasts a settlement for the first time, after the node has simulated it. If the node's answer was lost, the
 * function succeeds too, because the settlement may land. @throws the node's error if its simulation fails.
 */
export async function sendFirst(
  { rpc, wire }: SignedSettlement,
  abortSignal?: AbortSignal,
): Promise<void> {
  await rpc
    .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' })
    .send(abortSignal && { abortSignal })
    .catch((error: unknown) => {
      if (!mayBeSent(error)) throw error
    })
}

/** Broadcasts the same bytes again. Ignores errors, because an error doesn't show whether the bytes can land. */
export async function sendAgain(
  { rpc, wire }: SignedSettlement,
  abortSignal: AbortSignal,
): Promise<void> {
  const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0n } as const
  await rpc
    .sendTransaction(wire, options)
    .send({ abortSignal })
    .catch(() => undefined)
}

/**
 * Signs and broadcasts a settlement once. The caller waits for its confirmation.
 * @throws the node's error if its simulation fails. A node may say this falsely, so the settlement may still land.
 */
export async function sendSettlement(settlement: ProvedSettlement): Promise<Signature> {
  const signed = await signSettlement(settlement)
  await sendFirst(signed)
  return signed.signature
}
