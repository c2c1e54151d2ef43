import type {
  CreatePaymentRequest,
  PaymentOrderResponse,
  SignatureRequest,
} from '../schemas/order.ts'
import type { QuoteRequest, QuoteResponse } from '../schemas/quote.ts'
import type { Payment, StatusResponse } from '../schemas/status.ts'
import { SOL, WALLETS } from './parties.ts'
import { ALONE } from './quotes.ts'

export const PAYMENT_ID = 'tr_kq8tOzq2kW4vZ1o0cS1t5A'

/** The ticket of a balance of half a SOL. */
const BALANCE =
  'sotto2_Awaci1Nb4R_w6pxxujVt-IdSaS1Ahd2OQ7c82gAAAAAAE0gPWb3bMUop47z4XlTgZg8desNsnTStO-CMI9fQIKe_gyWQzM5jxivb4Zyv3STWBpuIV_6rgYT7aH9jRhjANdrEOdwa6ztVmKDwAAAAAAEAZc0dAAAAANCVAWvQIilrAAAAAAAAAAAAAAAAAAAAAMd6Ofuq7dxPtIkefush09xOae-XXfiZoPFnCR6emwBLpGl3nvNCyWXp21sOGwOspwAAAAAAAAAAkTnk1odh'

/** A payment of a tenth of a SOL, fees included. */
export const PAYMENT_QUOTE_REQUEST: QuoteRequest = {
  amount: '100000000',
  sourceAssetId: SOL,
  destinationAssetId: SOL,
  ...WALLETS,
  balance: BALANCE,
}

export const PAYMENT_QUOTE: QuoteResponse = {
  success: true,
  quote: {
    sourceAssetId: SOL,
    destinationAssetId: SOL,
    mode: 'exact_in',
    amountIn: '100000000',
    amountOut: '99700000',
    fee: '300000',
    protocolFee: '200000',
    networkFee: '100000',
    feeBreakdown: {
      serviceFee: '200000',
      partnerFee: '0',
      networkFee: '100000',
    },
    duration: 10,
    min: '992866',
    max: '500000000',
    issuedAt: '2026-11-21T13:23:11.214Z',
    expiresAt: '2026-11-21T13:24:11.214Z',
    quoteId: 'q_AAeb_Xg3e1JXV7SUQn-JAU-X15kDAAAAAAAAAAAAAAX14QA0imKfXO7QMsPocG7EfZv6',
  },
  privacy: {
    anonymitySet: 1,
    windowSeconds: 0,
    suggestedAmounts: ['60220441', '75250502', '100300602', '150400802'],
  },
  linkProbability: '1',
  recipientPaidBefore: false,
  suggestions: [
    { amount: '60220441', amountOut: '60000000', ...ALONE },
    { amount: '75250502', amountOut: '75000000', ...ALONE },
    { amount: '100300602', amountOut: '100000000', ...ALONE },
    { amount: '150400802', amountOut: '150000000', ...ALONE },
  ],
  senderMustHold: {
    native: '0',
    source: '0',
  },
}

export const PAYMENT_REQUEST: CreatePaymentRequest = {
  quote: PAYMENT_QUOTE.quote,
  ...WALLETS,
  balance: BALANCE,
}

const TERMS: Payment = {
  leafIndex: 4711,
  payee: WALLETS.recipientAddress,
  payout: '99700000',
  fee: '300000',
  change: '400000000',
  validUntil: '2026-11-21T13:40:00.000Z',
}

export const PAYMENT_ORDER: PaymentOrderResponse = {
  success: true,
  order: {
    trackingId: PAYMENT_ID,
    amountIn: '100000000',
    amountOut: '99700000',
    sourceSymbol: 'SOL',
    destinationSymbol: 'SOL',
    eta: 10,
    expiration: '2026-11-21T13:40:00.000Z',
    deliverBy: '2026-11-21T13:40:00.000Z',
    payment: TERMS,
  },
}

/** A balance owner's signature. */
export const SIGNATURE: SignatureRequest = {
  changeNk: '1d2f5a8c03b9e47761a0c2d4e6f80911223344556677889900aabbccddeeff01',
  signature: {
    S: '04a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f',
    R8x: '0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9fa',
    R8y: '2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819',
  },
}

/** The status of the payment after signing: the service proves and sends it at once. */
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
    payment: TERMS,
    eta: 10,
    nextAction: 'wait',
    deposit: null,
    delivery: null,
    refund: null,
    linkProbability: '1',
  },
}
