import {
  addressBytes,
  associatedTokenAddress,
  authorisationInstruction,
  decodeTicket,
  depositInstruction,
  encodeTicket,
  innerCommitment,
  termsDigest,
  type Address,
  type Amount,
  type DepositTerms,
  type Note,
  type PoolIdentity,
  type Ticket,
} from '@sotto/protocol'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  type Blockhash,
  type Instruction,
  type KeyPairSigner,
  type TransactionMessage,
  type TransactionMessageWithFeePayer,
} from '@solana/kit'
import { noteHash } from '../../src/verify/poseidon.ts'
import type { HonestOrder } from './honest-order.ts'

type Message = TransactionMessage & TransactionMessageWithFeePayer & { readonly version: 0 }

/**
 * The members of the transaction that a forgery changes. If a member is undefined, that part of the transaction stays
 * honest.
 */
export interface Forgery {
  readonly terms?: Partial<DepositTerms>
  readonly program?: Address
  readonly tree?: Address
  readonly senderToken?: Address
  readonly domain?: Uint8Array
  readonly authoriser?: KeyPairSigner
  /** Changes the authorisation instruction's bytes after the authoriser has signed. */
  readonly authorisation?: (data: Uint8Array) => void
  readonly microLamports?: bigint
  readonly units?: number
  readonly deposit?: (deposit: Instruction) => Instruction
  readonly instructions?: (all: Instruction[]) => Instruction[]
  readonly feePayer?: Address
  readonly message?: (message: Message) => Message
}

const BLOCKHASH = 'So11111111111111111111111111111111111111112' as Blockhash

/**
 * Builds the transaction that a dishonest service would send. The pool's authoriser signs the terms, unless the forgery
 * names another key.
 */
export async function forgeTransaction(honest: HonestOrder, forgery: Forgery): Promise<string> {
  const terms: DepositTerms = { ...honest.terms, ...forgery.terms }
  const program = forgery.program ?? honest.program
  const deposit = await depositInstruction(await accountsOf(honest, forgery, terms), terms)
  const identity = { program, domain: forgery.domain ?? honest.facts.pool.domain }
  const authorisation = await authorise(honest, forgery, identity, terms)
  const all: Instruction[] = [
    getSetComputeUnitLimitInstruction({ units: forgery.units ?? 120_000 }),
    ...(forgery.microLamports === undefined
      ? []
      : [getSetComputeUnitPriceInstruction({ microLamports: forgery.microLamports })]),
    authorisation,
    forgery.deposit?.(deposit) ?? deposit,
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (built) => setTransactionMessageFeePayer(forgery.feePayer ?? terms.sender, built),
    (built) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: BLOCKHASH, lastValidBlockHeight: 1n },
        built,
      ),
    (built) => appendTransactionMessageInstructions(forgery.instructions?.(all) ?? all, built),
  )
  const changed = forgery.message?.(message) ?? message
  return getBase64EncodedWireTransaction(compileTransaction(changed as typeof message))
}

async function accountsOf(honest: HonestOrder, forgery: Forgery, terms: DepositTerms) {
  const { tokenProgram, pool } = honest.facts
  const own =
    tokenProgram === undefined
      ? undefined
      : await associatedTokenAddress(terms.sender, terms.sourceMint, tokenProgram)
  return {
    program: forgery.program ?? honest.program,
    tree: forgery.tree ?? pool.tree,
    senderToken: forgery.senderToken ?? own,
    tokenProgram,
  }
}

async function authorise(
  honest: HonestOrder,
  forgery: Forgery,
  identity: PoolIdentity,
  terms: DepositTerms,
): Promise<Instruction> {
  const authoriser = forgery.authoriser ?? honest.authoriser
  const digest = termsDigest(identity, terms)
  const signature = await signBytes(authoriser.keyPair.privateKey, digest)
  const made = authorisationInstruction(addressBytes(authoriser.address), signature, digest)
  const data = new Uint8Array(made.data!)
  forgery.authorisation?.(data)
  return { ...made, data }
}

/** The members of a note that a dishonest service can change. */
export interface NoteChange extends Partial<Omit<Note, 'claim'>> {
  readonly recipient?: Address
  readonly amountOut?: Amount
}

/** The order's note, from its ticket. */
export const noteOf = ({ order }: HonestOrder): Note => decodeTicket(order.recovery).note

/** The order's note with some members changed. */
function forgeNote(honest: HonestOrder, { recipient, amountOut, ...rest }: NoteChange): Note {
  const note = noteOf(honest)
  if (note.claim.kind !== 'transfer') throw new Error("a transfer's ticket holds another claim")
  const claim = {
    ...note.claim,
    ...(recipient === undefined ? {} : { recipient }),
    ...(amountOut === undefined ? {} : { amountOut }),
  }
  return { ...note, ...rest, claim }
}

/** The commitment of the order's note with some members changed. */
export const forgeInner = (honest: HonestOrder, change: NoteChange): bigint =>
  innerCommitment(noteHash, forgeNote(honest, change))

/** The order's ticket with some members changed. */
export const forgeTicket = (
  honest: HonestOrder,
  change: NoteChange,
  more: Partial<Ticket> = {},
): string =>
  encodeTicket({ ...decodeTicket(honest.order.recovery), note: forgeNote(honest, change), ...more })
