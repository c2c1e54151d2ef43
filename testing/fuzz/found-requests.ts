import type { FuzzRequest } from './fuzz-request.ts'
import type { FuzzTarget } from './target.ts'

interface Found {
  readonly method: string
  readonly target: string
  readonly body?: (target: FuzzTarget) => object
}

/** Requests to which the service once gave a wrong answer. Every run starts with them. */
const FOUND: readonly Found[] = [
  // The times in these two cursors are in the year 10000 or later, and the database refuses such times.
  { method: 'GET', target: '/transfer/v1/orders?cursor=AAIFehNEGAABAQEBAQEBAQEBAQEBAQEB&limit=1' },
  { method: 'GET', target: '/transfer/v1/orders?cursor=tEbwBwT7AAOEAQAOgFf9-bUeuwPX_QGa&limit=1' },
  // The framework has separate rules for the body of a QUERY request.
  { method: 'QUERY', target: '/transfer/v1/tokens' },
  // The path exists, but not with this method, and the body isn't an object.
  { method: 'PUT', target: '/transfer/v1/quote', body: () => [] },
  // This target bypassed the authentication, which did not recognise its prefix.
  { method: 'GET', target: 'http://x/transfer/v1/tokens' },
  // In these two bodies, a member's name is an address or an API key. An answer must not repeat this name.
  {
    method: 'POST',
    target: '/transfer/v1/quote',
    body: ({ recipients }) => ({ [recipients[0]!]: 1 }),
  },
  { method: 'POST', target: '/transfer/v1/quote', body: ({ keys }) => ({ [keys.other]: 1 }) },
]

/** The found requests with a valid key. */
export function foundRequests(target: FuzzTarget): FuzzRequest[] {
  return FOUND.map(({ body, ...line }) => ({
    ...line,
    kind: 'found before',
    headers: [
      ['authorization', `Bearer ${target.keys.own}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body(target))) }),
    sender: 'own',
    isMeantToSucceed: false,
    promised: { kind: 'anything' },
  }))
}
