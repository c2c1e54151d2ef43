import type { OrderSummaryRecord } from '@sotto/sdk/server'

/** This backend's record of an order. A real backend stores it in its database, under `trackingId`. */
export type TransferRecord = Pick<OrderSummaryRecord, 'trackingId' | 'status' | 'final'> & {
  /** This backend's own name for the order. */
  readonly reference?: string | undefined
}

export interface TransferRecords {
  /**
   * Stores the service's current record. If the stored record is final, keeps it, because no other status can follow.
   */
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
