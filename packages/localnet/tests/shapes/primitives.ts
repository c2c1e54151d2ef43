import { z } from 'zod'

// The shapes in this folder follow Solana's RPC documentation (solana.com/docs/rpc) and the response types of the Agave
// validator 4.0. They don't follow this chain's code. All objects are strict, because an extra member is as wrong as a
// missing member. They lack `costUnits`, which this chain doesn't answer (docs/localnet.md).

export const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
export const hash = address
export const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
export const base58 = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]*$/)
export const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

/**
 * A u64, as a double. The tests read answers with JSON.parse, which loses digits of large numbers.
 */
export const u64 = z.number().nonnegative()
export const count = z.number().int().nonnegative()
export const unixTime = z.number().int()

/** An answer and the slot of its state. */
export const withContext = <T extends z.ZodType>(value: T) =>
  z.strictObject({ context: z.strictObject({ slot: count, apiVersion: z.string() }), value })

const instructionError = z.union([z.string(), z.strictObject({ Custom: count })])

export const transactionError = z.union([
  z.string(),
  z.strictObject({ InstructionError: z.tuple([count, instructionError]) }),
  z.strictObject({ DuplicateInstruction: count }),
  z.strictObject({ InsufficientFundsForRent: z.strictObject({ account_index: count }) }),
  z.strictObject({
    ProgramExecutionTemporarilyRestricted: z.strictObject({ account_index: count }),
  }),
])

/** The deprecated equivalent of `err`. */
export const transactionStatus = z.union([
  z.strictObject({ Ok: z.null() }),
  z.strictObject({ Err: transactionError }),
])

export const commitment = z.enum(['processed', 'confirmed', 'finalized'])
