import type { Json } from './json.ts'

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
})

/** The response headers that a client may use, by name. */
export const HEADERS = {
  'X-Request-Id': {
    ...text('Identifies this response in the log of the service.', 'req_4f1c2b3a495867768594a3b2'),
    required: true,
  },
  'RateLimit-Policy': text(
    'The name of the limit, its number of requests, and the seconds in which they are replenished.',
    '"key";q=100;w=2',
  ),
  RateLimit: text(
    'Requests left, and the seconds until the full number is available again.',
    '"key";r=99;t=1',
  ),
  'Retry-After': {
    description: 'Seconds to wait before sending the same request again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'Idempotent-Replayed': {
    description:
      '`true` if the service repeats its response to an earlier request, with the same bytes.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
  },
  'WWW-Authenticate': text('The authentication scheme.', 'Bearer'),
} as const satisfies Record<string, Json>

export type HeaderName = keyof typeof HEADERS

/** References to these headers in the document's components, for one response. */
export function headersNamed(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
