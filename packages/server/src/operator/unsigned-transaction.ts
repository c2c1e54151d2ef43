import type { Address } from '@sotto/protocol'
import { getBase58Decoder, getTransactionEncoder, type Instruction } from '@solana/kit'
import { compileOnNewest } from '../adapters/chain/settlement/compile-transaction.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'

/** The printed form of a transaction that others sign. */
export interface UnsignedTransaction {
  /** The message that is signed, in base64. */
  readonly message: string
  /** The whole transaction with zeros in place of signatures, in base64 and in base58. */
  readonly transaction: string
  readonly transactionBase58: string
  /** The first signer pays the fee. */
  readonly signers: readonly Address[]
  /**
   * The transaction can't land after this block height. The limit doesn't apply if a multisig copies the instructions
   * into its own transaction.
   */
  readonly lastValidBlockHeight: string
  readonly next: string
}

const NEXT =
  'a multisig: import it as a proposal, which keeps the instructions and gets a blockhash of its own; ' +
  'single keys: `sotto-server transaction sign` for each, then `transaction submit`, within a minute'

/** An unsigned transaction that `feePayer` pays for, as bytes to sign. */
export async function makeUnsigned(
  rpc: ChainRpc,
  feePayer: Address,
  instructions: readonly Instruction[],
): Promise<{ readonly wire: Uint8Array; readonly shown: UnsignedTransaction }> {
  const { compiled, lastValidBlockHeight } = await compileOnNewest(rpc, feePayer, instructions)
  const wire = new Uint8Array(getTransactionEncoder().encode(compiled))
  const shown = {
    message: Buffer.from(compiled.messageBytes).toString('base64'),
    transaction: Buffer.from(wire).toString('base64'),
    transactionBase58: getBase58Decoder().decode(wire),
    signers: Object.keys(compiled.signatures) as Address[],
    lastValidBlockHeight: `${lastValidBlockHeight}`,
    next: NEXT,
  }
  return { wire, shown }
}
