import {
  ceilToGrid,
  floorToGrid,
  nullifierOf,
  settleInputs,
  settlementLayout,
  shownClock,
  type Amount,
  type NotePosition,
  type Poseidon,
  type SettleInputs,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import {
  address,
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
import { locateNote } from './locate-note.ts'
import { readAccount, readPool, readTokenProgram, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'
import { findSettlement, readSettledNote } from './settled-note.ts'

/** Proves a settlement; returns 256 bytes in the program's format. */
export type Prove = (inputs: SettleInputs) => Promise<Uint8Array>

export interface SettleNoteRequest {
  readonly rpc: RecoveryRpc
  readonly poseidon: Poseidon
  readonly prove: Prove
  readonly ticket: Ticket
  readonly kind: 'deliver' | 'refund'
  /** Any wallet. Pays the fee and the nullifier's rent, which it gets back. */
  readonly payer: TransactionSigner
  /** From the status record's `recoveryProof`; without it the tree is rebuilt from the chain. */
  readonly position?: NotePosition | undefined
}

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
/** Longer than a blockhash is valid, shorter than the time grid. */
const LANDING_SECONDS = 90n

/** Seconds of the chain's clock, at `confirmed`. */
export async function readChainClock(rpc: RecoveryRpc): Promise<bigint> {
  return shownClock(await readAccount(rpc, CLOCK_SYSVAR))
}

/** @throws RecoveryError ALREADY_SETTLED, with the proven details, if anyone has settled the note. */
async function assertUnsettled(rpc: RecoveryRpc, ticket: Ticket, nullifier: bigint): Promise<void> {
  const settled = await readSettledNote(rpc, ticket, nullifier)
  if (settled === undefined) return
  // A node that no longer has the transaction must not hide that the note was paid.
  const found = findSettlement(rpc, ticket.program, nullifier).catch(() => undefined)
  const message = `this order was ${settled.kind} already: nothing is left to pay`
  throw new RecoveryError('ALREADY_SETTLED', message, { ...settled, signature: await found })
}

/** The public time of a settlement now. @throws Error that says when it becomes possible. */
export function settlementTime(
  kind: 'deliver' | 'refund',
  clock: bigint,
  expiry: bigint,
): UnixSeconds {
  if (kind === 'deliver') {
    // Leaves time to land before the next grid time, if the expiry allows it.
    const roomy = ceilToGrid(clock + LANDING_SECONDS)
    const time = roomy <= expiry ? roomy : ceilToGrid(clock)
    if (time > expiry) {
      const message = 'too late to deliver: the note can only be refunded now'
      throw new RecoveryError('TOO_LATE', message)
    }
    return time
  }
  const time = floorToGrid(clock)
  if (time <= expiry) {
    const wait = ceilToGrid(expiry + 1n) - clock
    const message = `too early to refund: possible in ${wait} s by the chain's clock`
    throw new RecoveryError('TOO_EARLY', message)
  }
  return time
}

/**
 * The layout lists the payer as a signer that can't sign, which must not appear together with the one that
 * can. The account keeps its signer role, which is what requires the signature.
 */
const withoutSigners = (instruction: Instruction): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((account) => {
    const { signer: _signer, ...meta } = account as AccountSignerMeta
    return meta
  }),
})

/**
 * Delivers or refunds a note with only its ticket and an RPC endpoint. The money can go only to the payee
 * that the sender's deposit committed to. Returns the signature once the transaction is broadcast. @throws
 * Error if the note is already settled, was never deposited, or if it is too early or too late.
 */
export async function settleNote(request: SettleNoteRequest): Promise<Signature> {
  const { rpc, poseidon, ticket, kind, payer } = request
  const { position, root } = await locateNote(rpc, poseidon, ticket, request.position)
  // Checked before the time: a payee who was already paid must not be asked to wait or to request a refund.
  const nullifier = nullifierOf(poseidon, ticket.note.nk, position.leafIndex)
  await assertUnsettled(rpc, ticket, nullifier)
  const time = settlementTime(kind, await readChainClock(rpc), ticket.note.expiry)
  const isRefund = kind === 'refund'
  const inputs = settleInputs(poseidon, ticket.note, position, { isRefund, time })
  const proof = await request.prove(inputs)
  const { tree } = await readPool(rpc, ticket.program)
  const tokenProgram = await readTokenProgram(rpc, ticket.note.mint)
  const instructions = await settlementLayout(
    { program: ticket.program, tree, payer: payer.address, tokenProgram },
    ticket.note.mint,
    {
      isRefund,
      root,
      nullifier: inputs.nullifier,
      amount: ticket.note.amountOut,
      feeBack: inputs.feeBack as Amount,
      payee: isRefund ? ticket.note.sender : ticket.note.recipient,
      time,
      proof,
    },
    0n,
    // The payer itself bears the cost, so this can't be abused at another's expense.
    true,
  )
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(blockhash, draft),
    (draft) => appendTransactionMessageInstructions(instructions.map(withoutSigners), draft),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  await rpc
    .sendTransaction(getBase64EncodedWireTransaction(transaction), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    })
    .send()
  return getSignatureFromTransaction(transaction)
}
