import { onFixedPool, RecoveryError } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import type { ChainContext } from './balance-context.ts'

/**
 * True for errors that may have a wrong domain of the pool as their cause. Every leaf depends on the domain, so with a
 * wrong one the node's and the service's answers don't fit.
 */
const mayStem = (error: unknown): boolean =>
  error instanceof RecoveryError ||
  error instanceof DisagreementError ||
  refusalOf(error) !== undefined

/**
 * Does work on a balance's notes. If the work fails and the node had shown the pool wrongly, the work is repeated once.
 */
export const onPool = <Result>(
  { rpc, programId }: ChainContext,
  work: () => Promise<Result>,
): Promise<Result> => onFixedPool(rpc, programId, work, mayStem)
