import type { Operation } from '@sotto/contract'
import { assertScope, type Caller } from '../../usecases/access/authenticate.ts'
import { writtenAnswer, type Endpoint } from '../endpoint.ts'
import type { UseCases } from '../use-cases.ts'
import { validate } from '../validate.ts'

/** A page's request in the form that an endpoint of the API accepts. */
export interface PageRequest {
  readonly body?: unknown
  readonly trackingId?: string
}

/**
 * Calls an endpoint of the API with the page's own key. The same checks are made as for any request with this key: the
 * key's state, its scope, and the request's schema. The amounts that the visitors of one network may reserve are
 * limited.
 *
 * @throws ServiceError; UNAUTHORIZED if the page's key has been revoked.
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
    body: (operation.body && validate(operation.body, body, operation.elsewhere)) as undefined,
    params: trackingId === undefined ? {} : { trackingId },
    received: body,
    header: () => undefined,
  }
  return writtenAnswer(await handle(call, useCases)).payload.toString()
}
