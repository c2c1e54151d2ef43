import type { ListOrdersResponse, StatusResponse } from '../schemas/status.ts'
import { SOL } from './parties.ts'

const SUMMARY = {
  trackingId: 'tr_0oQNhTtYkhHSGfbZw17yyQ',
  status: 'awaiting_deposit',
  final: false,
  sourceAssetId: SOL,
  destinationAssetId: SOL,
  amountIn: '1000000000',
  amountOut: '997900000',
  createdAt: '2026-11-21T13:23:11.859Z',
  updatedAt: '2026-11-21T13:23:11.859Z',
  expiration: '2026-11-21T14:00:00.000Z',
  payableUntil: '2026-11-21T14:00:00.000Z',
  deliverBy: '2026-11-21T15:00:00.000Z',
  reference: 'invoice 7',
} as const

/** An order that the sender hasn't signed yet. */
export const AWAITING: StatusResponse = {
  success: true,
  order: {
    ...SUMMARY,
    eta: 1054,
    nextAction: 'sign',
    deposit: null,
    delivery: null,
    refund: null,
    linkProbability: '1',
  },
}

/** A final status, at which polling may stop. */
export const DELIVERED: StatusResponse = {
  success: true,
  order: {
    ...SUMMARY,
    status: 'delivered',
    final: true,
    updatedAt: '2026-11-21T13:23:54.318Z',
    eta: 0,
    nextAction: 'none',
    deposit: {
      signature:
        '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      slot: 1402,
      at: '2026-11-21T13:23:40.000Z',
      assetId: SOL,
      amount: '1000000000',
    },
    delivery: {
      signature:
        '2id3YC2jK9G5Wo2phDx4gJVAew8DcY5NAojnVuao8rkxwPYPe8cSwE5GzhEgJA2y8fVjDEo6iR6ykBvDxrTQrtpb',
      slot: 1903,
      at: '2026-11-21T13:24:31.000Z',
      assetId: SOL,
      amount: '997900000',
    },
    refund: null,
    linkProbability: '1',
  },
}

export const ORDERS: ListOrdersResponse = {
  success: true,
  orders: [SUMMARY],
  nextCursor: 'AAABof5GcZbp1-e7RCZEgJGR2Nsk23pK',
}
