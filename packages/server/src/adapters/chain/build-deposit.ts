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
  NATIVE_MINT,
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
  at: { readonly program: Address; readonly tree: Address; readonly depositPriorityFee: bigint },
  { terms, authoriser, digest, signature }: AuthorisedDeposit,
  head: ChainHead,
): Promise<string> {
  const isNative = terms.sourceMint === NATIVE_MINT
  const senderToken = isNative
    ? undefined
    : await associatedTokenAddress(terms.sender, terms.sourceMint)
  const price = at.depositPriorityFee
  const instructions = [
    getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
    ...(price > 0n ? [getSetComputeUnitPriceInstruction({ microLamports: price })] : []),
    authorisationInstruction(addressBytes(authoriser), signature, digest),
    await depositInstruction({ program: at.program, tree: at.tree, senderToken }, terms),
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
