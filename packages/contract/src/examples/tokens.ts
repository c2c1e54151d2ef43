import type { TokensResponse } from '../schemas/tokens.ts'
import { SOL, USDC } from './parties.ts'

export const TOKENS: TokensResponse = {
  success: true,
  tokens: [
    {
      assetId: SOL,
      symbol: 'SOL',
      name: 'Solana',
      decimals: 9,
      kind: 'native',
      canSend: true,
      swappable: true,
      min: '992866',
      max: '100000000000',
      serviceFeeBps: 20,
      networkFee: {
        accountExists: '100000',
        accountCreated: '100000',
      },
      eta: 1054,
      anonymitySet: 1,
      commonAmount: null,
      linkProbability: '1',
    },
    {
      assetId: USDC,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      kind: 'token',
      canSend: true,
      swappable: true,
      min: '350703',
      max: '100000000000',
      serviceFeeBps: 20,
      networkFee: {
        accountExists: '20000',
        accountCreated: '350000',
      },
      eta: 1054,
      anonymitySet: 3,
      commonAmount: '250000000',
      linkProbability: '0.249',
    },
  ],
  asOf: '2026-11-21T13:23:11.321Z',
}
