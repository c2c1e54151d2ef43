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
import { DEPOSIT_COMPUTE_UNITS } from '../../../domain/deposit-units.ts'
import { unsignedTransaction } from './unsigned-transaction.ts'

/** This instruction is the same in every transaction, so it is built only once. */
const UNITS_INSTRUCTION = getSetComputeUnitLimitInstruction({ units: DEPOSIT_COMPUTE_UNITS })

/**
 * Builds a sender's transaction. It contains the compute budget, the authorisation and the deposit. It is unsigned, has
 * version 0 and uses no lookup tables. The program reads the authorisation from the instruction directly before the
 * deposit.
 */
export async function buildDeposit(
  at: {
    readonly program: Address
    readonly tree: Address
    /** The program that owns the source mint; undefined for native SOL. */
    readonly tokenProgram: Address | undefined
    /** Micro-lamports per compute unit. */
    readonly unitPrice: bigint
  },
  { terms, authoriser, digest, signature }: AuthorisedDeposit,
  head: ChainHead,
): Promise<string> {
  const { program, tree, tokenProgram } = at
  const senderToken =
    tokenProgram === undefined
      ? undefined
      : await associatedTokenAddress(terms.sender, terms.sourceMint, tokenProgram)
  const price = at.unitPrice
  const instructions = [
    UNITS_INSTRUCTION,
    ...(price > 0n ? [getSetComputeUnitPriceInstruction({ microLamports: price })] : []),
    authorisationInstruction(addressBytes(authoriser), signature, digest),
    await depositInstruction({ program, tree, senderToken, tokenProgram }, terms),
  ]
  return unsignedTransaction(terms.sender, instructions, head.blockhash)
}
