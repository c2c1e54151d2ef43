import { z } from 'zod'
import type { Chain } from '../chain/chain.ts'
import type { Faucet } from '../chain/faucet.ts'
import type { LateQueue } from '../chain/late-queue.ts'
import type { LostForks } from '../chain/lost-forks.ts'
import type { SubmitQueue } from '../chain/submit-queue.ts'
import type { Faults } from '../faults/faults.ts'
import { INVALID_PARAMS, RpcError } from './rpc-error.ts'

/** The state and services that every method uses. */
export interface RpcScope {
  readonly chain: Chain
  readonly queue: SubmitQueue
  readonly late: LateQueue
  readonly forks: LostForks
  readonly faucet: Faucet
  readonly faults: Faults
  readonly slotMs: number
  /** Number of blocks by which the node lags for this request. */
  readonly lag: number
}

/** A method in the form that the dispatcher calls. */
export interface RpcMethod {
  readonly name: string
  call(params: unknown, scope: RpcScope): unknown
}

/** Defines a method. Its parameters are checked before `handle` gets them. */
export function defineMethod<S extends z.ZodType>(definition: {
  name: string
  params: S
  handle: (params: z.output<S>, scope: RpcScope) => unknown
}): RpcMethod {
  return {
    name: definition.name,
    call(params, scope) {
      const parsed = definition.params.safeParse(params ?? [])
      if (!parsed.success) throw invalidParams(parsed.error)
      return definition.handle(parsed.data, scope)
    },
  }
}

/** The parameter list of a method that uses no parameters. */
export const noParams = z.array(z.unknown())

function invalidParams(error: z.ZodError): RpcError {
  const [issue] = error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  return new RpcError(
    INVALID_PARAMS,
    `Invalid params: ${where}${issue?.message ?? 'not understood'}.`,
  )
}
