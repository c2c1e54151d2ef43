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
 * Runs `work` on a balance's notes. If `work` fails, and the node had returned wrong data about the pool, the work is
 * run once more with correct data.
 */
export const onPool = <Result>(
  { rpc, programId }: ChainContext,
  work: () => Promise<Result>,
): Promise<Result> => onFixedPool(rpc, programId, work, mayStem)
