import { errorExample } from '../examples/errors.ts'
import { EXAMPLES, type Example } from '../examples.ts'
import { ERRORS, type ErrorCode } from '../error-registry.ts'
import { errorsOf, type Operation } from '../operations.ts'
import { headersNamed, type HeaderName } from './headers.ts'
import type { Json } from './json.ts'
import { SCHEMA_ROOT } from './schema-set.ts'

const LIMITS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit']

/** The headers of an error response. A 401 has no rate limit headers, because the limits belong to keys. */
const headersOf = (status: number, codes: readonly ErrorCode[]): HeaderName[] => [
  'X-Request-Id',
  ...(status === 401 ? (['WWW-Authenticate'] as const) : LIMITS),
  ...(codes.some((code) => ERRORS[code].retry === 'unchanged') ? (['Retry-After'] as const) : []),
]

const describe = (code: ErrorCode): string =>
  `- [\`${code}\`](/docs/errors/${code}): ${ERRORS[code].message} ${ERRORS[code].nextStep}`

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const narrowed = { type: 'object', properties: { code: { enum: codes } } }
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description: codes.map(describe).join('\n'),
    headers: headersNamed(headersOf(status, codes)),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `${SCHEMA_ROOT}Error` }, narrowed] },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  }
}

/** Converts examples to the form that OpenAPI documents use. */
export const examplesOf = (examples: Readonly<Record<string, Example>>): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([name, { summary, value }]) => [name, { summary, value }]),
  )

/** Every response of an operation, by status. */
export function responsesOf(operation: Operation, success: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(operation)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const errors = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => [String(status), errorResponse(status, codes)])
  const own: HeaderName[] = operation.takesKey ? ['Idempotent-Replayed'] : []
  const examples = EXAMPLES[operation.id as keyof typeof EXAMPLES].responses
  return {
    '200': {
      description: 'Success.',
      headers: headersNamed(['X-Request-Id', ...LIMITS, ...own]),
      content: { 'application/json': { schema: success, examples: examplesOf(examples) } },
    },
    ...(Object.fromEntries(errors) as Json),
  }
}

/** An example of every error that an operation can return. */
export function errorExamples(operations: readonly Operation[]): Json {
  const codes = [...new Set(operations.flatMap(errorsOf))].sort()
  return Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].message, value: errorExample(code) }]),
  )
}
