import type { OrderSummaryRecord } from '@sotto/sdk/server'

/** What this backend keeps of an order. A real one keeps it in its database, under `trackingId`. */
export type TransferRecord = Pick<OrderSummaryRecord, 'trackingId' | 'status' | 'final'> & {
  readonly reference?: string | undefined
}

export interface TransferRecords {
  /** Keeps what the service says now. What is final stays: nothing comes after it. */
  readonly keep: (record: TransferRecord) => void
  readonly read: (trackingId: string) => TransferRecord | undefined
  readonly list: () => readonly TransferRecord[]
}

export function openTransferRecords(): TransferRecords {
  const records = new Map<string, TransferRecord>()
  return {
    keep: ({ trackingId, status, final, reference }) => {
      if (records.get(trackingId)?.final === true) return
      records.set(trackingId, { trackingId, status, final, reference })
    },
    read: (trackingId) => records.get(trackingId),
    list: () => [...records.values()],
  }
}
