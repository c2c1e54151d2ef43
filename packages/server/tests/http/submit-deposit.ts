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
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import type { HttpStack } from './http-stack.ts'

/** Signs as the sender's wallet would, submits, and returns the landed transaction. */
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
  for (let tries = 0; tries < 200; tries += 1) {
    const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
    const landed = await stack.rpc.getTransaction(name, options as never).send()
    if (landed !== null) return landed as unknown as TransactionRecord
    await systemClock.sleep(50)
  }
  throw new Error('the deposit did not land')
}

/** Notes in the database that the deposit was seen, as the worker that follows the tree does. */
export async function markSeen({ database }: HttpStack, trackingId: string): Promise<void> {
  const query = 'UPDATE orders SET deposit_seen_at = now() WHERE id = $1'
  await database.query(query, [decodeTrackingId(trackingId)])
}
