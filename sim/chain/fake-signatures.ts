import type { Address } from '@sotto/protocol'
import { BLOCKHASH_BLOCKS, type Block } from './fake-chain.ts'
import type { Message, Transaction } from './transaction.ts'

/**
 * Every transaction that was ever signed. Processes store and send only the text of a signature, and this class maps
 * that text to the transaction. So a process can send a stored transaction again, even after a restart.
 */
export class FakeSignatures {
  readonly #signed = new Map<string, Transaction>()

  sign(feePayer: Address, message: Message, base: Block): Transaction {
    const signature = `${message.kind}-${this.#signed.size + 1}`
    const lastValidHeight = base.height + BLOCKHASH_BLOCKS
    const transaction = { signature, feePayer, lastValidHeight, message }
    this.#signed.set(signature, transaction)
    return transaction
  }

  /** @throws Error if no transaction with this signature was ever signed. */
  read(signature: string): Transaction {
    const transaction = this.#signed.get(signature)
    if (transaction === undefined) throw new Error('the bytes are not a signed transaction')
    return transaction
  }
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

export const wireOf = ({ signature }: Transaction): Uint8Array => encoder.encode(signature)

export const signatureIn = (wire: Uint8Array): string => decoder.decode(wire)
