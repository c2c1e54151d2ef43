import type { Address } from '@sotto/protocol'
import { BLOCKHASH_BLOCKS, type Block } from './fake-chain.ts'
import type { Message, Transaction } from './transaction.ts'

/**
 * Every transaction that was ever signed. Its wire format is its signature's text, which is looked up
 * here: what a process kept of a transaction is enough to send it again, also in another life.
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

  /** @throws Error where nobody signed this. */
  read(signature: string): Transaction {
    const transaction = this.#signed.get(signature)
    if (transaction === undefined) throw new Error('the bytes are no signed transaction')
    return transaction
  }
}

export const wireOf = ({ signature }: Transaction): Uint8Array =>
  new TextEncoder().encode(signature)

export const signatureIn = (wire: Uint8Array): string => new TextDecoder().decode(wire)
