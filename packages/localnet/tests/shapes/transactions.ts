import { z } from 'zod'
import { tokenAmount } from './accounts.ts'
import {
  address,
  base58,
  base64,
  count,
  hash,
  signature,
  transactionError,
  transactionStatus,
  u64,
  unixTime,
} from './primitives.ts'

const compiledInstruction = z.strictObject({
  programIdIndex: count,
  accounts: z.array(count),
  data: base58,
  stackHeight: count.nullable(),
})

/** An instruction of a program for which the node has no parser. */
const partiallyDecoded = z.strictObject({
  programId: address,
  accounts: z.array(address),
  data: base58,
  stackHeight: count.nullable(),
})

const inner = <T extends z.ZodType>(instruction: T) =>
  z.array(z.strictObject({ index: count, instructions: z.array(instruction) }))

const tokenBalance = z.strictObject({
  accountIndex: count,
  mint: address,
  owner: address,
  programId: address,
  uiTokenAmount: tokenAmount,
})

const returnData = z.strictObject({
  programId: address,
  data: z.tuple([base64, z.literal('base64')]),
})

const loadedAddresses = z.strictObject({ writable: z.array(address), readonly: z.array(address) })

const meta = <T extends z.ZodType>(instruction: T) =>
  z.strictObject({
    err: transactionError.nullable(),
    status: transactionStatus,
    fee: u64,
    preBalances: z.array(u64),
    postBalances: z.array(u64),
    preTokenBalances: z.array(tokenBalance),
    postTokenBalances: z.array(tokenBalance),
    innerInstructions: inner(instruction),
    logMessages: z.array(z.string()),
    loadedAddresses: loadedAddresses.optional(),
    rewards: z.array(z.never()).nullable(),
    computeUnitsConsumed: u64,
    returnData: returnData.optional(),
  })

const lookups = z.array(
  z.strictObject({
    accountKey: address,
    writableIndexes: z.array(count),
    readonlyIndexes: z.array(count),
  }),
)

const message = z.strictObject({
  header: z.strictObject({
    numRequiredSignatures: count,
    numReadonlySignedAccounts: count,
    numReadonlyUnsignedAccounts: count,
  }),
  accountKeys: z.array(address),
  recentBlockhash: hash,
  instructions: z.array(compiledInstruction),
  addressTableLookups: lookups.optional(),
})

const parsedMessage = z.strictObject({
  accountKeys: z.array(
    z.strictObject({
      pubkey: address,
      signer: z.boolean(),
      writable: z.boolean(),
      source: z.enum(['transaction', 'lookupTable']),
    }),
  ),
  recentBlockhash: hash,
  instructions: z.array(partiallyDecoded),
  addressTableLookups: lookups.optional(),
})

const signed = <T extends z.ZodType>(body: T) =>
  z.strictObject({ signatures: z.array(signature), message: body })

const bodyIn = {
  json: signed(message),
  jsonParsed: signed(parsedMessage),
  base58: z.tuple([base58, z.literal('base58')]),
  base64: z.tuple([base64, z.literal('base64')]),
}
type Encoding = keyof typeof bodyIn

const parts = (encoding: Encoding) => ({
  meta: meta(encoding === 'jsonParsed' ? partiallyDecoded : compiledInstruction),
  transaction: bodyIn[encoding],
  version: z.union([z.literal('legacy'), z.literal(0)]).optional(),
})

/** The answer of `getTransaction` for a known transaction. */
export const transactionIn = (encoding: Encoding) =>
  z.strictObject({
    slot: count,
    transactionIndex: count,
    blockTime: unixTime.nullable(),
    ...parts(encoding),
  })

const block = {
  blockhash: hash,
  previousBlockhash: hash,
  parentSlot: count,
  blockHeight: count.nullable(),
  blockTime: unixTime.nullable(),
}

/** The answer of `getBlock`, for each value of `transactionDetails`. */
export const blockWith = {
  full: (encoding: Encoding) =>
    z.strictObject({
      ...block,
      rewards: z.array(z.never()),
      transactions: z.array(z.strictObject(parts(encoding))).min(1),
    }),
  signatures: z.strictObject({ ...block, signatures: z.array(signature).min(1) }),
  none: z.strictObject(block),
}

/** The value of `simulateTransaction`, and the data of a failed preflight. */
export const simulation = <T extends z.ZodType>(account: T) =>
  z.strictObject({
    err: transactionError.nullable(),
    logs: z.array(z.string()).nullable(),
    accounts: z.array(account.nullable()).nullable(),
    unitsConsumed: u64.nullable(),
    loadedAccountsDataSize: count.nullable(),
    returnData: returnData.nullable(),
    innerInstructions: inner(partiallyDecoded).nullable(),
    replacementBlockhash: z
      .strictObject({ blockhash: hash, lastValidBlockHeight: count })
      .nullable(),
    fee: u64.nullable(),
    preBalances: z.array(u64).nullable(),
    postBalances: z.array(u64).nullable(),
    preTokenBalances: z.array(tokenBalance).nullable(),
    postTokenBalances: z.array(tokenBalance).nullable(),
    loadedAddresses: loadedAddresses.nullable(),
  })
