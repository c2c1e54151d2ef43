import type { TransactionRecord } from '@sotto/protocol'
import {
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Base64EncodedWireTransaction,
  type Signature,
} from '@solana/kit'
import { expect } from 'vitest'
import { until } from '../../../../testing/patience/until.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import type { HttpStack } from './http-stack.ts'

/** Signs as the sender's wallet would, submits the transaction, and returns it once it has landed. */
export async function submitDeposit(
  stack: HttpStack,
  transaction: string,
): Promise<TransactionRecord> {
  const wire = new Uint8Array(getBase64Encoder().encode(transaction))
  const { messageBytes, signatures } = getTransactionDecoder().decode(wire)
  expect(Object.entries(signatures)).toEqual([[stack.sender.address, null]])
  expect(getCompiledTransactionMessageDecoder().decode(messageBytes).version).toBe(0)
  expect(wire.length).toBeLessThanOrEqual(1_050)
  const signature = await stack.sender.sign(new Uint8Array(messageBytes))
  wire.set(signature, 1)
  const signed = Buffer.from(wire).toString('base64') as Base64EncodedWireTransaction
  await stack.rpc.sendTransaction(signed, { encoding: 'base64' }).send()
  const name = getBase58Decoder().decode(signature) as Signature
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
  let landed: unknown = null
  await until(async () => {
    landed = await stack.rpc.getTransaction(name, options as never).send()
    return landed !== null
  }, 'the deposit did not land')
  return landed as TransactionRecord
}

/** Records in the database that the deposit was seen, as a worker that follows the tree does. */
export async function markSeen({ database }: HttpStack, trackingId: string): Promise<void> {
  const query = 'UPDATE orders SET deposit_seen_at = now() WHERE id = $1'
  await database.query(query, [decodeTrackingId(trackingId)])
}
