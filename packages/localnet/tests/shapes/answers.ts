import { z } from 'zod'
import { tokenAmount } from './accounts.ts'
import {
  commitment,
  count,
  hash,
  signature,
  transactionError,
  transactionStatus,
  u64,
  unixTime,
  withContext,
} from './primitives.ts'

const status = z.strictObject({
  slot: count,
  confirmations: count.nullable(),
  err: transactionError.nullable(),
  status: transactionStatus,
  confirmationStatus: commitment.nullable(),
})

const historyEntry = z.strictObject({
  signature,
  slot: count,
  transactionIndex: count,
  err: transactionError.nullable(),
  memo: z.string().nullable(),
  blockTime: unixTime.nullable(),
  confirmationStatus: commitment.nullable(),
})

const epochInfo = z.strictObject({
  absoluteSlot: count,
  blockHeight: count,
  epoch: count,
  slotIndex: count,
  slotsInEpoch: count,
  transactionCount: count.nullable(),
})

const blockhash = z.strictObject({ blockhash: hash, lastValidBlockHeight: count })

/** Results that don't depend on the request's options. */
export const answers = {
  balance: withContext(u64),
  blocks: z.array(count).min(1),
  blockhash: withContext(blockhash),
  count,
  epochInfo,
  fee: withContext(u64.nullable()),
  fees: z.array(z.strictObject({ slot: count, prioritizationFee: u64 })).min(1),
  hash,
  health: z.literal('ok'),
  history: z.array(historyEntry).min(1),
  signature,
  statuses: withContext(z.array(status.nullable())),
  tokenAmount: withContext(tokenAmount),
  validity: withContext(z.boolean()),
  version: z.strictObject({ 'solana-core': z.string(), 'feature-set': count.nullable() }),
  unixTime: unixTime.nullable(),
  missing: z.null(),
  missingAccount: withContext(z.null()),
}
