import type { TransactionRecord } from '@sotto/protocol'
import { getBase58Codec } from '@solana/kit'
import type { RecoveryRpc } from '../index.ts'

/** Byte offsets in the data of a settlement instruction. */
export const PAYOUT_AT = 37
export const FEE_AT = 45
export const PAYEE_AT = 53
export const CHANGE_LEAF_AT = 85
export const TIME_AT = 117
const SETTLE_BYTES = 381

const base58 = getBase58Codec()

/** A node that returns settlements with changed data. */
export const erringNode = (rpc: RecoveryRpc, change: (data: Uint8Array) => void): RecoveryRpc =>
  new Proxy(rpc, {
    get: (whole, key) => {
      if (key !== 'getTransaction') return Reflect.get(whole, key) as unknown
      return (...asked: Parameters<RecoveryRpc['getTransaction']>) => ({
        send: async () => {
          const record: TransactionRecord | null = await rpc.getTransaction(...asked).send()
          return record && withChanged(record, change)
        },
      })
    },
  })

function withChanged(
  record: TransactionRecord,
  change: (data: Uint8Array) => void,
): TransactionRecord {
  const { message } = record.transaction
  const instructions = message.instructions.map((instruction) => {
    const data = new Uint8Array(base58.encode(instruction.data))
    if (data.length === SETTLE_BYTES) change(data)
    return { ...instruction, data: base58.decode(data) }
  })
  return {
    ...record,
    transaction: { ...record.transaction, message: { ...message, instructions } },
  }
}
