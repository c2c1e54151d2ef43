import type { SignatureRequest } from '../schemas/order.ts'
import type { StatusResponse } from '../schemas/status.ts'
import { SOL, WALLETS } from './parties.ts'

export const PAYMENT_ID = 'tr_kq8tOzq2kW4vZ1o0cS1t5A'

/** A balance owner's signature. */
export const SIGNATURE: SignatureRequest = {
  changeNk: '1d2f5a8c03b9e47761a0c2d4e6f80911223344556677889900aabbccddeeff01',
  signature: {
    S: '04a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f',
    R8x: '0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9fa',
    R8y: '2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819',
  },
}

/** The payment is proved and sent at once. */
export const SIGNED_PAYMENT: StatusResponse = {
  success: true,
  order: {
    trackingId: PAYMENT_ID,
    status: 'delivering',
    final: false,
    sourceAssetId: SOL,
    destinationAssetId: SOL,
    amountIn: '100000000',
    amountOut: '99700000',
    createdAt: '2026-11-21T13:23:11.859Z',
    updatedAt: '2026-11-21T13:23:12.402Z',
    expiration: '2026-11-21T13:40:00.000Z',
    deliverBy: '2026-11-21T13:40:00.000Z',
    payment: {
      leafIndex: 4711,
      payee: WALLETS.recipientAddress,
      payout: '99700000',
      fee: '300000',
      change: '400000000',
      validUntil: '2026-11-21T13:40:00.000Z',
    },
    eta: 10,
    nextAction: 'wait',
    deposit: null,
    delivery: null,
    refund: null,
  },
}
