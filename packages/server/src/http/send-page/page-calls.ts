import type { Operation } from '@sotto/contract'
import { assertScope, type Caller } from '../../usecases/access/authenticate.ts'
import { writtenAnswer, type Endpoint } from '../endpoint.ts'
import type { UseCases } from '../use-cases.ts'
import { validate } from '../validate.ts'

/** What a page sent, as an endpoint of the interface takes it. */
export interface PageRequest {
  readonly body?: unknown
  readonly trackingId?: string
}

/**
 * Calls an endpoint of the interface in the name of the page's own key, with everything that a request
 * with this key would go through: the key's state, its scope, the request's schema. What a visitor may hold
 * back is bounded for the network that they come from.
 *
 * @throws ServiceError, UNAUTHORIZED too, where the key was revoked since.
 */
export async function callAsPage(
  useCases: UseCases,
  apiKey: string,
  { operation, handle }: Endpoint<Operation>,
  { body, trackingId }: PageRequest,
  visitor: string,
): Promise<string> {
  const known: Caller = await useCases.authenticate(`Bearer ${apiKey}`)
  const caller = { ...known, account: { ...known.account, visitor } }
  assertScope(caller, operation.scope)
  const call = {
    caller,
    query: undefined,
    body: (operation.body && validate(operation.body, body)) as undefined,
    params: trackingId === undefined ? {} : { trackingId },
    received: body,
    header: () => undefined,
  }
  return writtenAnswer(await handle(call, useCases)).payload.toString()
}
