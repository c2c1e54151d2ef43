import {
  getBase64Decoder,
  type Base64EncodedWireTransaction,
  type Rpc,
  type SendTransactionApi,
} from '@solana/kit'

/**
 * Submits a signed transaction. An error doesn't prove that the transaction failed: only the Order account shows
 * whether it landed. You may safely submit the same bytes again.
 */
export async function submitOrder(rpc: Rpc<SendTransactionApi>, wire: Uint8Array): Promise<void> {
  const encoded = getBase64Decoder().decode(wire) as Base64EncodedWireTransaction
  await rpc
    .sendTransaction(encoded, { encoding: 'base64', preflightCommitment: 'confirmed' })
    .send()
}
