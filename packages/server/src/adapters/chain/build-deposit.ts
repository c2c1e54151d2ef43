import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import {
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  addressBytes,
  associatedTokenAddress,
  authorisationInstruction,
  depositInstruction,
  type Address,
} from '@sotto/protocol'
import type { AuthorisedDeposit, ChainHead } from '../../ports/chain.ts'

/** Above what any deposit takes (70,000 is the program's bar), with room for wallets' own checks. */
const COMPUTE_UNITS = 120_000

/**
 * A sender's transaction: compute budget, authorisation, deposit. Unsigned, version 0, without lookup
 * tables; the program reads the authorisation from the instruction directly before the deposit.
 */
export async function buildDeposit(
  at: {
    readonly program: Address
    readonly tree: Address
    /** The program that keeps the source mint; undefined for native SOL. */
    readonly tokenProgram: Address | undefined
    readonly depositPriorityFee: bigint
  },
  { terms, authoriser, digest, signature }: AuthorisedDeposit,
  head: ChainHead,
): Promise<string> {
  const { program, tree, tokenProgram } = at
  const senderToken =
    tokenProgram === undefined
      ? undefined
      : await associatedTokenAddress(terms.sender, terms.sourceMint, tokenProgram)
  const price = at.depositPriorityFee
  const instructions = [
    getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
    ...(price > 0n ? [getSetComputeUnitPriceInstruction({ microLamports: price })] : []),
    authorisationInstruction(addressBytes(authoriser), signature, digest),
    await depositInstruction({ program, tree, senderToken, tokenProgram }, terms),
  ]
  const lifetime = {
    blockhash: blockhash(head.blockhash),
    lastValidBlockHeight: head.lastValidBlockHeight,
  }
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(terms.sender, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  )
  return getBase64EncodedWireTransaction(compiled)
}
