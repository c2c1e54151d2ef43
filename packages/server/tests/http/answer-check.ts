import { ErrorBody, ERRORS, errorsOf, OPERATIONS, type Operation } from '@sotto/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'

const operations = Object.values(OPERATIONS as Record<string, Operation>)

/** Describes how a response violates the contract. Returns undefined if the response conforms. */
function problemOf(request: FastifyRequest, status: number, text: string): string | undefined {
  const { url, method } = request.routeOptions
  const operation = operations.find((one) => one.path === url && one.method === method)
  // Web pages and responses to probes aren't part of the contract.
  if (operation === undefined && status === 200) return undefined
  const schema = status === 200 ? operation!.response : ErrorBody
  const result = schema.safeParse(JSON.parse(text))
  if (!result.success) return result.error.message
  if (status === 200) return undefined
  const { code } = result.data as ErrorBody
  if (ERRORS[code].status !== status)
    return `${code} has the status ${status} instead of ${ERRORS[code].status}`
  const isDocumented = operation === undefined || errorsOf(operation).includes(code)
  return isDocumented ? undefined : `${code} is not among the errors of ${operation.id}`
}

/**
 * Checks every response of a service under test against the contract. A success must match its operation's schema. An
 * error must have the common form, the right status, and a code that the operation documents. Returns the problems
 * found so far.
 */
export function checkAnswers(app: FastifyInstance): readonly string[] {
  const found: string[] = []
  app.addHook('onSend', (request, reply, payload, done) => {
    // A stream is skipped here, because it doesn't end. The tests of streams check each event.
    if (payload instanceof Readable) return void done(null, payload)
    const text = Buffer.isBuffer(payload) ? payload.toString() : String(payload)
    const problem = problemOf(request, reply.statusCode, text)
    if (problem !== undefined) {
      found.push(`${request.method} ${request.routeOptions.url} ${reply.statusCode}: ${problem}`)
    }
    done(null, payload)
  })
  return found
}
