import { onFixedPool, RecoveryError } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import type { ChainContext } from './balance-context.ts'

/**
 * True for errors of node or service that a wrong domain of the pool may cause, because the domain changes every leaf.
 */
const mayStem = (error: unknown): boolean =>
  error instanceof RecoveryError ||
  error instanceof DisagreementError ||
  refusalOf(error) !== undefined

/** Does work on a balance's notes, and repeats it if it failed because the node once showed the pool wrongly. */
export const onPool = <Result>(
  { rpc, programId }: ChainContext,
  work: () => Promise<Result>,
): Promise<Result> => onFixedPool(rpc, programId, work, mayStem)
