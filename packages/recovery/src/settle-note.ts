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

/** Proves a settlement; the 256 bytes of the program's format. */
export type Prove = (inputs: SettleInputs) => Promise<Uint8Array>

export interface SettleNoteRequest {
  readonly rpc: RecoveryRpc
  readonly poseidon: Poseidon
  readonly prove: Prove
  readonly ticket: Ticket
  readonly kind: 'deliver' | 'refund'
  /** Pays the fee and the nullifier's rent, which comes back to it. Any wallet. */
  readonly payer: TransactionSigner
  /** From the status record's `recoveryProof`; without it the tree is rebuilt from the chain. */
  readonly position?: NotePosition | undefined
}

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
/** More than a blockhash lives, less than the time grid. */
const LANDING_SECONDS = 90n

/** Seconds of the chain's clock, at `confirmed`. */
export async function readChainClock(rpc: RecoveryRpc): Promise<bigint> {
  return shownClock(await readAccount(rpc, CLOCK_SYSVAR))
}

/** @throws RecoveryError ALREADY_SETTLED, with what is proven of it, where the note was settled by anyone. */
async function assertUnsettled(rpc: RecoveryRpc, ticket: Ticket, nullifier: bigint): Promise<void> {
  const settled = await readSettledNote(rpc, ticket, nullifier)
  if (settled === undefined) return
  // A node that forgot the transaction must not hide that the note was paid.
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
    // Room to land, where the expiry leaves it, so that the grid isn't crossed before landing.
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
 * The layout names the payer as a signer that can't sign, which must not stand beside the one that can; the
 * account's role, which stays, is what asks for the signature.
 */
const withoutSigners = (instruction: Instruction): Instruction => ({
  ...instruction,
  accounts: (instruction.accounts ?? []).map((account) => {
    const { signer: _signer, ...meta } = account as AccountSignerMeta
    return meta
  }),
})

/**
 * Delivers or refunds a note with nothing but its ticket and an RPC endpoint. The money can go only
 * where the sender's deposit committed it to; returns the signature once it is broadcast.
 * @throws Error where it is settled already, too early or too late, or was never deposited.
 */
export async function settleNote(request: SettleNoteRequest): Promise<Signature> {
  const { rpc, poseidon, ticket, kind, payer } = request
  const { position, root } = await locateNote(rpc, poseidon, ticket, request.position)
  // Before its time is judged: who was paid must not be sent to wait, or to ask for a refund.
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
    // At the payer's own cost: nobody else can farm it.
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
