import type { QuoteRequest, QuoteResponse } from '../schemas/quote.ts'
import { PARTNER_FEE, SOL, USDC, WALLETS } from './parties.ts'

/** The privacy of an amount that no other wallet has sent. */
export const ALONE = { anonymitySet: 1, linkProbability: '1' }

/** A send of one SOL, fees included. */
export const SEND_REQUEST: QuoteRequest = {
  amount: '1000000000',
  sourceAssetId: SOL,
  destinationAssetId: SOL,
  ...WALLETS,
}

export const SEND_QUOTE: QuoteResponse = {
  success: true,
  quote: {
    sourceAssetId: SOL,
    destinationAssetId: SOL,
    mode: 'exact_in',
    amountIn: '1000000000',
    amountOut: '997900000',
    fee: '2100000',
    protocolFee: '2000000',
    networkFee: '100000',
    feeBreakdown: {
      serviceFee: '2000000',
      partnerFee: '0',
      networkFee: '100000',
    },
    duration: 1054,
    min: '992866',
    max: '100000000000',
    issuedAt: '2026-11-21T13:23:11.737Z',
    expiresAt: '2026-11-21T13:24:11.737Z',
    quoteId: 'q_AAeb_a2E-2T6Aa0Qu9546a7JaQoAAAAKAAA8AAAAADuaygDnDpBjywF4dY5bART21EPB',
  },
  privacy: {
    anonymitySet: 1,
    windowSeconds: 1800,
    suggestedAmounts: ['601302606', '751603207', '1002104209', '1503106213'],
  },
  linkProbability: '1',
  waitingHelps: false,
  recipientPaidBefore: false,
  suggestions: [
    { amount: '601302606', amountOut: '600000000', ...ALONE },
    { amount: '751603207', amountOut: '750000000', ...ALONE },
    { amount: '1002104209', amountOut: '1000000000', ...ALONE },
    { amount: '1503106213', amountOut: '1500000000', ...ALONE },
  ],
  senderMustHold: {
    native: '1002181643',
    source: '1000000000',
  },
}

/** A send whose recipient receives exactly 250 USDC. The partner gets a share. */
export const EXACT_OUT_REQUEST: QuoteRequest = {
  amount: '250000000',
  sourceAssetId: USDC,
  destinationAssetId: USDC,
  mode: 'exact_out',
  ...WALLETS,
  ...PARTNER_FEE,
}

export const EXACT_OUT_QUOTE: QuoteResponse = {
  success: true,
  quote: {
    sourceAssetId: USDC,
    destinationAssetId: USDC,
    mode: 'exact_out',
    amountIn: '252112266',
    amountOut: '250000000',
    fee: '2112266',
    protocolFee: '1762266',
    networkFee: '350000',
    feeBreakdown: {
      serviceFee: '501704',
      partnerFee: '1260562',
      networkFee: '350000',
    },
    duration: 1054,
    min: '1',
    max: '99300650000',
    issuedAt: '2026-11-21T13:23:11.770Z',
    expiresAt: '2026-11-21T13:24:11.770Z',
    quoteId: 'q_AAeb_UfXQ_FC3dkksS4YmDmvnVsAAAAKAAA8AAAAAA7zsXj172n3ZnP-z5SMhK2-RTVC',
  },
  privacy: {
    anonymitySet: 1,
    windowSeconds: 1800,
    suggestedAmounts: ['150000000', '200000000', '300000000', '400000000'],
  },
  linkProbability: '1',
  waitingHelps: false,
  recipientPaidBefore: false,
  suggestions: [
    { amount: '150000000', amountOut: '150000000', ...ALONE },
    { amount: '200000000', amountOut: '200000000', ...ALONE },
    { amount: '300000000', amountOut: '300000000', ...ALONE },
    { amount: '400000000', amountOut: '400000000', ...ALONE },
  ],
  senderMustHold: {
    native: '2181643',
    source: '252112266',
  },
}

/** One SOL that arrives as USDC, one to ten minutes later. */
export const SWAP_REQUEST: QuoteRequest = {
  amount: '1000000000',
  sourceAssetId: SOL,
  destinationAssetId: USDC,
  ...WALLETS,
  minDelaySeconds: 60,
  maxDelaySeconds: 600,
}

export const SWAP_QUOTE: QuoteResponse = {
  success: true,
  quote: {
    sourceAssetId: SOL,
    destinationAssetId: USDC,
    mode: 'exact_in',
    amountIn: '1000000000',
    amountOut: '148900900',
    fee: '4340355',
    protocolFee: '2000000',
    networkFee: '2340355',
    feeBreakdown: {
      serviceFee: '2000000',
      partnerFee: '0',
      networkFee: '2340355',
    },
    duration: 583,
    min: '2345056',
    max: '13373453701',
    issuedAt: '2026-11-21T13:23:11.786Z',
    expiresAt: '2026-11-21T13:24:11.786Z',
    quoteId: 'q_AAeb_YbZHeNAyD188z84B7dyB0kAAAA8AAJYAAAAAAjp87D66tvszzJ1sJWzQ2TjD03G',
  },
  privacy: {
    anonymitySet: 1,
    windowSeconds: 600,
    suggestedAmounts: ['504854584', '672357760', '1007364113', '1342370472'],
  },
  linkProbability: '1',
  waitingHelps: false,
  recipientPaidBefore: false,
  suggestions: [
    { amount: '504854584', amountOut: '75000000', ...ALONE },
    { amount: '672357760', amountOut: '100000000', ...ALONE },
    { amount: '1007364113', amountOut: '150000000', ...ALONE },
    { amount: '1342370472', amountOut: '200000000', ...ALONE },
  ],
  rate: '0.14955',
  senderMustHold: {
    native: '1002181643',
    source: '1000000000',
  },
}
