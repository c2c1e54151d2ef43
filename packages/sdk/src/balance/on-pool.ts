import { onFixedPool, RecoveryError } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import type { ChainContext } from './balance-context.ts'
import { BalanceError } from './errors.ts'

/**
 * True for errors that a wrong domain of the pool may cause. Every leaf depends on the domain. So the leaves that we
 * compute with a wrong domain differ from those of the node and the service.
 */
const mayStem = (error: unknown): boolean =>
  error instanceof RecoveryError ||
  error instanceof DisagreementError ||
  // The service may have refused a signature over a wrong leaf.
  (error instanceof BalanceError && error.code === 'PAYMENT_MAY_LAND') ||
  refusalOf(error) !== undefined

/**
 * Runs `work` on a balance's notes. After an error that satisfies `mayStem`, reads the pool again, because its cached
 * data may be wrong. If the data differs, runs `work` once more.
 */
export const onPool = <Result>(
  { rpc, programId }: ChainContext,
  work: () => Promise<Result>,
): Promise<Result> => onFixedPool(rpc, programId, work, mayStem)
