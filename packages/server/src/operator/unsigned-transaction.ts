import type { Address } from '@sotto/protocol'
import {
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  type Transaction,
} from '@solana/kit'
import {
  compileOnNewest,
  type LookupTables,
} from '../adapters/chain/settlement/compile-transaction.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { compileOnNonce, readNonce } from './durable-nonce.ts'

/** The printed form of a transaction that others sign. */
export interface UnsignedTransaction {
  /** The message that is signed, in base64. */
  readonly message: string
  /** The whole transaction with zeros in place of the signatures, in base64 and in base58. */
  readonly transaction: string
  readonly transactionBase58: string
  /** The addresses that must sign. The first signer pays the fee. */
  readonly signers: readonly Address[]
  /**
   * The transaction can't land after this block height. The limit doesn't apply if a multisig copies the instructions
   * into its own transaction.
   */
  readonly lastValidBlockHeight?: string
  /** The account and the value of a durable nonce, which replaces `lastValidBlockHeight`. */
  readonly nonce?: { readonly account: Address; readonly value: string }
  readonly next: string
}

const NEXT =
  'for a multisig: import the transaction as a proposal, which keeps the instructions and gets its own blockhash; ' +
  'for single keys: run `sotto-server transaction sign` with each key, then `transaction submit`, within a minute'

const NEXT_ON_NONCE =
  'run `sotto-server transaction sign` for each signer, then `transaction submit`, at any time until the nonce is used'

/**
 * Makes an unsigned transaction that `feePayer` pays for, as bytes to sign. The transaction uses either a new blockhash
 * and `tables`, or the nonce of an account.
 */
export async function makeUnsigned(
  rpc: ChainRpc,
  feePayer: Address,
  instructions: readonly Instruction[],
  nonceAccount?: Address,
  tables: LookupTables = {},
): Promise<{ readonly wire: Uint8Array; readonly shown: UnsignedTransaction }> {
  if (nonceAccount !== undefined) {
    const nonce = await readNonce(rpc, nonceAccount)
    const { account, value } = nonce
    const rest = { nonce: { account, value }, next: NEXT_ON_NONCE }
    return show(compileOnNonce(nonce, feePayer, instructions), rest)
  }
  const { compiled, lastValidBlockHeight } = await compileOnNewest(
    rpc,
    feePayer,
    instructions,
    tables,
  )
  return show(compiled, { lastValidBlockHeight: `${lastValidBlockHeight}`, next: NEXT })
}

function show(
  compiled: Transaction,
  rest: Pick<UnsignedTransaction, 'lastValidBlockHeight' | 'nonce' | 'next'>,
) {
  const wire = new Uint8Array(getTransactionEncoder().encode(compiled))
  const shown = {
    message: Buffer.from(compiled.messageBytes).toString('base64'),
    transaction: Buffer.from(wire).toString('base64'),
    transactionBase58: getBase58Decoder().decode(wire),
    signers: Object.keys(compiled.signatures) as Address[],
    ...rest,
  }
  return { wire, shown }
}
