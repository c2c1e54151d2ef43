import { z } from 'zod'
import { commitmentParam, countParam } from './params.ts'

/**
 * The configuration of both `getTransaction` and `getBlock`. Like a validator, the node doesn't serve history at
 * `processed`.
 */
export const transactionConfig = {
  commitment: commitmentParam
    .default('finalized')
    .refine(
      (commitment) => commitment !== 'processed',
      'Method does not support commitment below `confirmed`',
    ),
  encoding: z.enum(['json', 'jsonParsed', 'base58', 'base64']).default('json'),
  maxSupportedTransactionVersion: countParam.optional(),
}
