import { nullifierOf, type Note } from '@sotto/protocol'
import { quickHash } from '../chain/quick-hash.ts'
import { type Landed, hex } from '../chain/transaction.ts'
import type { Evidence } from './evidence.ts'

/** The landed transactions of one order. */
export interface ChainTruth {
  readonly deposits: readonly Landed[]
  readonly settlements: readonly Landed[]
}

/** Each order's note, by the order's key. The notes come from the customers' tickets. */
export function notesOf({ customers }: Evidence): Map<string, Note> {
  const notes = new Map<string, Note>()
  for (const { order } of customers) if (order !== undefined) notes.set(order.key, order.note)
  return notes
}

/** The successful deposits and settlements of an order that landed up to a position. */
export function truthOf(
  evidence: Evidence,
  key: string,
  note: Note | undefined,
  until: number,
): ChainTruth {
  const { ledger } = evidence.chain
  const landed = ledger.landed.filter(
    ({ failure, position }) => failure === undefined && position <= until,
  )
  const deposits = landed.filter(
    ({ transaction: { message } }) =>
      message.kind === 'deposit' && hex(message.terms.orderId) === key,
  )
  const leaf = ledger.leaves.findIndex(({ orderKey }) => orderKey === key)
  if (leaf < 0 || note === undefined) return { deposits, settlements: [] }
  const nullifier = nullifierOf(quickHash, note.nk, BigInt(leaf))
  const settlements = landed.filter(
    ({ transaction: { message } }) =>
      message.kind === 'settle' && message.settlement.nullifier === nullifier,
  )
  return { deposits, settlements }
}

/** True if a landed settlement is a refund. */
export const isRefund = ({ transaction: { message } }: Landed): boolean =>
  message.kind === 'settle' && message.settlement.isRefund
