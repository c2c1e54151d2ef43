import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../error-registry.ts'
import { AmountString } from './scalars.ts'

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

/** The form of every error. */
export const ErrorBody = z
  .strictObject({
    success: z.literal(false),
    code: z.enum(codes),
    message: z.string(),
    requestId: z.string(),
    retry: z.enum(['never', 'new_quote', 'unchanged']),
    param: z.string().optional(),
    min: AmountString.optional(),
    max: AmountString.optional(),
    issues: z.array(z.strictObject({ param: z.string(), message: z.string() })).optional(),
    docs: z.string(),
  })
  .meta({ id: 'Error' })

export type ErrorBody = z.infer<typeof ErrorBody>
