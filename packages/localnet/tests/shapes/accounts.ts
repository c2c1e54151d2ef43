import { z } from 'zod'
import { address, base58, base64, count, u64 } from './primitives.ts'

const account = <T extends z.ZodType>(data: T) =>
  z.strictObject({
    lamports: u64,
    data,
    owner: address,
    executable: z.boolean(),
    rentEpoch: u64,
    space: count,
  })

export const tokenAmount = z.strictObject({
  amount: z.string().regex(/^(0|[1-9][0-9]*)$/),
  decimals: count,
  uiAmount: z.number().nullable(),
  uiAmountString: z.string().regex(/^[0-9]+(\.[0-9]*[1-9])?$/),
})

const parsedTokenAccount = z.strictObject({
  type: z.literal('account'),
  info: z.strictObject({
    mint: address,
    owner: address,
    tokenAmount,
    state: z.enum(['initialized', 'frozen']),
    isNative: z.boolean(),
    delegate: address.optional(),
    delegatedAmount: tokenAmount.optional(),
    rentExemptReserve: tokenAmount.optional(),
    closeAuthority: address.optional(),
  }),
})

const parsedMint = z.strictObject({
  type: z.literal('mint'),
  info: z.strictObject({
    mintAuthority: address.nullable(),
    supply: z.string().regex(/^[0-9]+$/),
    decimals: count,
    isInitialized: z.literal(true),
    freezeAuthority: address.nullable(),
  }),
})

const parsed = z.strictObject({
  program: z.enum(['spl-token', 'spl-token-2022']),
  parsed: z.union([parsedTokenAccount, parsedMint]),
  space: count,
})

/** The shape of an account for each requested encoding. */
export const accountIn = {
  base64: account(z.tuple([base64, z.literal('base64')])),
  base58: account(z.tuple([base58, z.literal('base58')])),
  binary: account(base58),
  jsonParsed: account(parsed),
  /** The `jsonParsed` form of an account for which the node has no parser. */
  unparsed: account(z.tuple([base64, z.literal('base64')])),
}

export const keyed = <T extends z.ZodType>(value: T) =>
  z.strictObject({ pubkey: address, account: value })
