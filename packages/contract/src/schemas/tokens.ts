import { z } from 'zod'
import { AmountString, AssetId, Chance, Timestamp, Whole } from './scalars.ts'

export const Token = z
  .strictObject({
    assetId: AssetId,
    symbol: z.string(),
    name: z.string(),
    decimals: Whole,
    kind: z
      .enum(['native', 'token', 'token2022'])
      .describe('Lamports, an SPL Token mint, or a mint of Token-2022.'),
    canSend: z.boolean(),
    swappable: z.boolean(),
    min: AmountString.describe('Minimum `amount` of an exact_in send to a new account.'),
    max: AmountString.describe('Maximum `amount` of an exact_in send.'),
    serviceFeeBps: Whole,
    networkFee: z.strictObject({
      accountExists: AmountString,
      accountCreated: AmountString.describe("The fee if the recipient's account must be created."),
    }),
    eta: Whole,
    anonymitySet: Whole.describe(
      'The anonymity set of a transfer that delivers `commonAmount` now.',
    ),
    commonAmount: AmountString.nullable()
      .optional()
      .describe(
        'The delivered amount with the best privacy now. Its privacy may still be poor: see `linkProbability`. It is null if no amount that can be sent now has waiting deposits of two wallets, or if every such amount has a `linkProbability` of 1.',
      ),
    linkProbability: Chance.optional().describe(
      'The chance that an observer links a transfer that delivers `commonAmount` now.',
    ),
  })
  .meta({ id: 'Token' })

export const TokensResponse = z
  .strictObject({ success: z.literal(true), tokens: z.array(Token), asOf: Timestamp })
  .meta({ id: 'TokensResponse' })

export type Token = z.infer<typeof Token>
export type TokensResponse = z.infer<typeof TokensResponse>
