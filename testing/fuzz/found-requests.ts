import type { FuzzRequest } from './fuzz-request.ts'
import type { FuzzTarget } from './target.ts'

type Found = Pick<FuzzRequest, 'method' | 'target'> & { readonly body?: string }

/** Requests that were answered wrongly once. Every run starts with them. */
const FOUND: readonly Found[] = [
  // A position in the year 10000 and later, whose time the database does not take.
  { method: 'GET', target: '/transfer/v1/orders?cursor=AAIFehNEGAABAQEBAQEBAQEBAQEBAQEB&limit=1' },
  { method: 'GET', target: '/transfer/v1/orders?cursor=tEbwBwT7AAOEAQAOgFf9-bUeuwPX_QGa&limit=1' },
]

/** The found requests with a key that is let in. */
export function foundRequests({ keys }: FuzzTarget): FuzzRequest[] {
  return FOUND.map(({ body, ...line }) => ({
    ...line,
    kind: 'found before',
    headers: [
      ['authorization', `Bearer ${keys.own}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    sender: 'own',
    isMeantToSucceed: false,
    promised: { kind: 'anything' },
  }))
}
