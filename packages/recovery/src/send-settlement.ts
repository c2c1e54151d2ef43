import {
  rpcErrorCode,
  settlementLayout,
  type Address,
  type RootPlace,
  type SettleInputs,
} from '@sotto/protocol'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type AccountSignerMeta,
  type Instruction,
  type Signature,
  type TransactionSigner,
} from '@solana/kit'
import { settlementPrice, type PriorityLimits } from './priority-fee.ts'
import { readTokenProgram, type RecoveryRpc, type TreeAtSlot } from './read-accounts.ts'

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
  readonly limits: PriorityLimits
}

/**
 * The same instruction without signer objects. The generated instruction contains a signer object for the payer that
 * can't sign. It conflicts with the caller's signer object. The account keeps its signer role, so the payer's
 * signature is still required.
 */
const withoutSigners = (instruction: Instruction): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((account) => {
    const { signer: _signer, ...meta } = account as AccountSignerMeta
    return meta
  }),
})

async function instructionsOf(settlement: ProvedSettlement): Promise<Instruction[]> {
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
    await settlementPrice(settlement.rpc, chain.address, settlement.limits),
    // Create the payee's account if it doesn't exist. The payer pays for the account, so no one can abuse this at
    // someone else's expense.
    true,
  )
  return layout.map(withoutSigners)
}

/**
 * True if a transaction may have been sent although the request failed: the node gave no answer of JSON-RPC, for example
 * because the connection broke or a balancer answered in its place.
 */
export const mayBeSent = (error: unknown): boolean => rpcErrorCode(error) === undefined

/**
 * Broadcasts a settlement. Also returns its signature if the node's answer was lost, because the settlement may land;
 * the caller waits for its confirmation in both cases. @throws the node's error if its simulation fails.
 */
export async function sendSettlement(settlement: ProvedSettlement): Promise<Signature> {
  const { rpc, payer } = settlement
  const instructions = await instructionsOf(settlement)
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(blockhash, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  await rpc
    .sendTransaction(getBase64EncodedWireTransaction(transaction), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    })
    .send()
    .catch((error: unknown) => {
      if (!mayBeSent(error)) throw error
    })
  return getSignatureFromTransaction(transaction)
}
