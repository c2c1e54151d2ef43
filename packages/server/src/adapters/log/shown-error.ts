import { rpcErrorCode, rpcHttpStatus } from '@sotto/protocol'

const FRAMES = 8
const CAUSES_MAX = 3

/**
 * `CLASS` matches class names. `CODE` matches error codes of this service, Node, PostgreSQL or a library. Both come
 * from code, so they can be shown.
 */
const CLASS = /^[A-Za-z][A-Za-z0-9]{0,39}$/
const CODE = /^(?:[A-Z][A-Z0-9_]{1,39}|[a-z][a-z0-9_]{1,39}|[0-9A-Z]{5})$/
/** Matches a stack frame, with or without a function's name. */
const FRAME =
  /^at (?:[\w.$<>[\] #]{1,80} \()?(?:file:\/\/\/|node:|\/)[^\s()]{1,300}:\d{1,7}:\d{1,5}\)?$/

/**
 * Returns the frames of an error's stack. In the stack, the message precedes the frames. The message is removed first,
 * because a line of it may look like a frame.
 */
function framesOf({ stack = '', message }: Error): string[] {
  const end = stack.indexOf(message)
  const places = end < 0 ? stack : stack.slice(end + message.length)
  const lines = places.split('\n').map((line) => line.trim())
  return lines.filter((line) => FRAME.test(line)).slice(0, FRAMES)
}

/** Returns the code of an RPC node's refusal: its JSON-RPC error code, or the HTTP status. */
function rpcCodeOf(error: Error): string | undefined {
  const [code, status] = [rpcErrorCode(error), rpcHttpStatus(error)]
  if (code !== undefined) return `rpc_error_${-code}`
  return status === undefined ? undefined : `rpc_${status}`
}

/**
 * Describes an error and its causes by kind, code and stack frames. The message is omitted, because it may contain
 * anything. A kind or code in an unexpected form is omitted too.
 */
export function shownError(error: unknown, depth = 1): object {
  if (!(error instanceof Error)) return { kind: typeof error }
  const kind = CLASS.test(error.name) ? error.name : 'Error'
  const hasCode = 'code' in error && typeof error.code === 'string' && CODE.test(error.code)
  const rpc = rpcCodeOf(error)
  const code = hasCode ? { code: error.code } : rpc === undefined ? {} : { code: rpc }
  const isLast = error.cause === undefined || depth > CAUSES_MAX
  const cause = isLast ? {} : { cause: shownError(error.cause, depth + 1) }
  return { kind, ...code, frames: framesOf(error), ...cause }
}
