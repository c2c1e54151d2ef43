import { onFixedPool, RecoveryError } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import type { ChainContext } from './balance-context.ts'

/**
 * True for errors that a wrong pool domain may cause. Every leaf depends on the domain. So with a wrong domain, the
 * leaves that we compute don't match the node's and the service's answers.
 */
const mayStem = (error: unknown): boolean =>
  error instanceof RecoveryError ||
  error instanceof DisagreementError ||
  refusalOf(error) !== undefined

/**
 * Runs `work` on a balance's notes. If `work` fails, the cached data of the pool may be wrong. So the pool is read
 * again, and if its data differs, `work` is run once more.
 */
export const onPool = <Result>(
  { rpc, programId }: ChainContext,
  work: () => Promise<Result>,
): Promise<Result> => onFixedPool(rpc, programId, work, mayStem)
