import { z } from 'zod'
import { accountIn, keyed } from './accounts.ts'
import { count, signature, transactionError } from './primitives.ts'

/** A notification's context has only a slot. An answer's context also has a version. */
const at = <T extends z.ZodType>(value: T) =>
  z.strictObject({ context: z.strictObject({ slot: count }), value })

const notification = <T extends z.ZodType>(kind: string, result: T) =>
  z.strictObject({
    jsonrpc: z.literal('2.0'),
    method: z.literal(`${kind}Notification`),
    params: z.strictObject({ result, subscription: count }),
  })

const err = transactionError.nullable()

/** The shapes of complete notifications, by kind of subscription. */
export const notificationShapes = {
  account: notification('account', at(accountIn.base64)),
  logs: notification('logs', at(z.strictObject({ signature, err, logs: z.array(z.string()) }))),
  program: notification('program', at(keyed(accountIn.base64))),
  root: notification('root', count),
  signature: notification('signature', at(z.strictObject({ err }))),
  slot: notification('slot', z.strictObject({ slot: count, parent: count, root: count })),
}
