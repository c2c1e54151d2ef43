import {
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Maps the address of each lookup table that a transaction may use to the addresses in the table. */
export type LookupTables = Readonly<Record<Address, Address[]>>

/**
 * Builds a version-0 transaction with the newest confirmed blockhash. Its signatures are still missing. An account that
 * is in one of the `tables` takes one byte in the transaction instead of 32.
 */
export async function compileOnNewest(
  rpc: ChainRpc,
  feePayer: Address,
  instructions: readonly Instruction[],
  tables: LookupTables = {},
) {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions([...instructions], message),
      (message) => compressTransactionMessageUsingAddressLookupTables(message, tables),
    ),
  )
  return { compiled, lastValidBlockHeight: lifetime.lastValidBlockHeight }
}
