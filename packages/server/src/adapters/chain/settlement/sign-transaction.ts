import {
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  type SignatureBytes,
} from '@solana/kit'
import type { SignedSettlement } from '../../../ports/settlement-chain.ts'
import type { Signer } from '../../../ports/signer.ts'
import { compileOnNewest, type LookupTables } from './compile-transaction.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Options for signing, besides the instructions. */
export interface SigningOptions {
  readonly tables?: LookupTables | undefined
  /**
   * Tries the unsigned transaction, for example in a simulation. If this function throws, nothing is signed, so no node
   * gets a signed transaction that would be refused.
   *
   * @throws Error to refuse the transaction.
   */
  readonly rehearse?: (unsigned: Uint8Array) => Promise<void>
}

/**
 * Builds a version-0 transaction with the newest confirmed blockhash and lets the signers sign it. The first signer
 * pays the transaction's fee.
 */
export async function signTransaction(
  rpc: ChainRpc,
  signers: readonly [Signer, ...Signer[]],
  instructions: readonly Instruction[],
  { tables, rehearse }: SigningOptions = {},
): Promise<SignedSettlement> {
  const { compiled, lastValidBlockHeight } = await compileOnNewest(
    rpc,
    signers[0].address,
    instructions,
    tables,
  )
  await rehearse?.(new Uint8Array(getTransactionEncoder().encode(compiled)))
  const message = new Uint8Array(compiled.messageBytes)
  const signatures = { ...compiled.signatures }
  for (const signer of signers) {
    if (!(signer.address in signatures)) throw new Error('a signer is not part of the transaction')
    signatures[signer.address] = (await signer.sign(message)) as SignatureBytes
  }
  const first = signatures[signers[0].address]
  if (!first || Object.values(signatures).some((signature) => signature === null)) {
    throw new Error('the transaction needs more signers')
  }
  return {
    signature: getBase58Decoder().decode(first),
    wire: new Uint8Array(getTransactionEncoder().encode({ ...compiled, signatures })),
    lastValidBlockHeight,
  }
}
