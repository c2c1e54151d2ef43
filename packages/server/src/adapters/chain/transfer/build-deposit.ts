import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import {
  addressBytes,
  associatedTokenAddress,
  authorisationInstruction,
  depositInstruction,
  type Address,
} from '@sotto/protocol'
import type { AuthorisedDeposit, ChainHead } from '../../../ports/chain.ts'
import { unsignedTransaction } from './unsigned-transaction.ts'

/** Compute limit of a deposit: more than the program's limit of 70,000, with room for wallets' own checks. */
const COMPUTE_UNITS = 120_000
/** This instruction is the same in every transaction, so it is built once. */
const UNITS_INSTRUCTION = getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS })

/**
 * Builds a sender's transaction: compute budget, authorisation, deposit. It is unsigned, of version 0, and without
 * lookup tables. The program reads the authorisation from the instruction directly before the deposit.
 */
export async function buildDeposit(
  at: {
    readonly program: Address
    readonly tree: Address
    /** The program that owns the source mint; undefined for native SOL. */
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
    UNITS_INSTRUCTION,
    ...(price > 0n ? [getSetComputeUnitPriceInstruction({ microLamports: price })] : []),
    authorisationInstruction(addressBytes(authoriser), signature, digest),
    await depositInstruction({ program, tree, senderToken, tokenProgram }, terms),
  ]
  return unsignedTransaction(terms.sender, instructions, head.blockhash)
}
