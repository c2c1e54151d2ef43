import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Builds a version-0 transaction on the newest confirmed blockhash, with room for every signature. */
export async function compileOnNewest(
  rpc: ChainRpc,
  feePayer: Address,
  instructions: readonly Instruction[],
) {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const compiled = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions([...instructions], message),
    ),
  )
  return { compiled, lastValidBlockHeight: lifetime.lastValidBlockHeight }
}
