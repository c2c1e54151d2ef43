import { z } from 'zod'
import { commitmentParam, countParam } from './params.ts'

/**
 * The configuration of both `getTransaction` and `getBlock`. As on a validator, history below `confirmed` is not
 * served.
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
