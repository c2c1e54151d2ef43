import type { Json } from './json.ts'

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
})

/** The response headers that a client may use, by name. */
export const HEADERS = {
  'X-Request-Id': {
    ...text('Names this answer in the log of the service.', 'req_4f1c2b3a495867768594a3b2'),
    required: true,
  },
  'RateLimit-Policy': text(
    'What is counted, how many requests at once, and the seconds in which they come back.',
    '"key";q=100;w=2',
  ),
  RateLimit: text('Requests left, and the seconds until all are back.', '"key";r=99;t=1'),
  'Retry-After': {
    description: 'Seconds after which the same request is worth sending again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the answer to an earlier request, byte for byte.',
    schema: { type: 'string', enum: ['true', 'false'] },
    example: 'false',
  },
  'WWW-Authenticate': text('The scheme to authenticate by.', 'Bearer'),
} as const satisfies Record<string, Json>

export type HeaderName = keyof typeof HEADERS

/** References to headers of the components, for one response. */
export function headersNamed(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
