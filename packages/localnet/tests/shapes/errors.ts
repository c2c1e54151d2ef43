import { z } from 'zod'
import { accountIn } from './accounts.ts'
import { count } from './primitives.ts'
import { simulation } from './transactions.ts'

const failure = <T extends z.core.$ZodLooseShape>(code: number, message: RegExp, data: T) =>
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    error: z.strictObject({
      code: z.literal(code),
      message: z.string().regex(message),
      ...data,
    }),
    id: z.union([z.number(), z.null()]),
  })

/** Complete error answers: code, the message that clients search for, and any data. */
export const errorShapes = {
  parse: failure(-32700, /^Parse error$/, {}),
  request: failure(-32600, /^Invalid request$/, {}),
  tooLargeForBase58: failure(-32600, /less than 128 bytes, please use Base64/, {}),
  method: failure(-32601, /^Method not found$/, {}),
  params: failure(-32602, /^Invalid params?: ./, {}),
  limit: failure(-32602, /max \d+/, {}),
  encoding: failure(-32602, /^(invalid base(58|64) encoding|failed to deserialize)/, {}),
  conflict: failure(-32602, /^sigVerify may not be used with replaceRecentBlockhash$/, {}),
  preflight: failure(-32002, /^Transaction simulation failed: /, {
    data: simulation(accountIn.base64),
  }),
  signature: failure(-32002, /^Transaction simulation failed: Transaction did not pass signature/, {
    data: simulation(accountIn.base64).extend({ err: z.literal('SignatureFailure') }),
  }),
  blockNotAvailable: failure(-32004, /^Block not available for slot \d+$/, {}),
  unhealthy: failure(-32005, /^Node is (unhealthy|behind)/, {
    data: z.strictObject({ numSlotsBehind: count.nullable() }),
  }),
  skipped: failure(-32007, /^Slot \d+ was skipped/, {}),
  version: failure(
    -32015,
    /^Transaction version \(0\) is not supported by the requesting client/,
    {},
  ),
  minContextSlot: failure(-32016, /^Minimum context slot has not been reached$/, {
    data: z.strictObject({ contextSlot: count }),
  }),
}
