import type { Address } from '@solana/kit'
import { isAddress } from '@solana/kit'
import { z } from 'zod'

const BASE58_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const MAX_SIGNATURES = 256

/** A base58 address. */
export const addressParam = z
  .string()
  .refine((value): value is Address => isAddress(value), 'not an address')
  .transform((value) => value)

export const signatureParam = z.string().regex(BASE58_SIGNATURE, 'not a signature')

export const signaturesParam = z.array(signatureParam).max(MAX_SIGNATURES)

/** A non-negative integer that fits into a double: slots, counts, offsets. */
export const countParam = z
  .union([z.number(), z.bigint()])
  .transform((value) => Number(value))
  .pipe(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER))

/** A u64 number of base units. */
export const u64Param = z
  .union([z.number().int(), z.bigint()])
  .transform((value) => BigInt(value))
  .pipe(z.bigint().min(0n).max(0xffff_ffff_ffff_ffffn))

/** Old names of commitments that clients still use, each with its current equivalent. */
const OLD_COMMITMENTS = {
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
} as const

const commitments = ['processed', 'confirmed', 'finalized'] as const
const oldCommitments = ['recent', 'single', 'singleGossip', 'root', 'max'] as const

/** A commitment; `finalized` by default, as on a node. */
export const commitmentParam = z.union([
  z.enum(commitments),
  z.enum(oldCommitments).transform((name) => OLD_COMMITMENTS[name]),
])

/** Configuration members that almost every read accepts. */
export const contextConfig = {
  commitment: commitmentParam.default('finalized'),
  minContextSlot: countParam.optional(),
}

export const contextParam = z.object(contextConfig).default({ commitment: 'finalized' })

export const dataSliceParam = z.object({ offset: countParam, length: countParam })

export const encodingParam = z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'])

/** The requested form of account data. */
export const accountConfig = {
  ...contextConfig,
  encoding: encodingParam.default('binary'),
  dataSlice: dataSliceParam.optional(),
}

/**
 * Positional parameters. As on a validator, missing trailing parameters and nulls count as absent, and extra ones are
 * ignored.
 */
export function paramList<const T extends readonly [z.ZodType, ...z.ZodType[]]>(...items: T) {
  return z
    .array(z.unknown())
    .transform((given) => items.map((_, index) => given[index] ?? undefined))
    .pipe(z.tuple(items))
}
