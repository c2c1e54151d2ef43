import { ED25519_PROGRAM, type Address } from '@sotto/protocol'
import type { PoolFacts } from '../../ports/chain.ts'
import { invalid } from '../service-error.ts'

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'

/**
 * Refuses a sender whose address is the address of a program that a deposit calls. Such a program can't pay the
 * transaction's fee, so no transaction can be built. The service can't know whether other addresses can sign.
 *
 * @throws ServiceError INVALID_REQUEST.
 */
export function assertSender(sender: Address, { program }: Pick<PoolFacts, 'program'>): void {
  const called: readonly string[] = [program, ED25519_PROGRAM, COMPUTE_BUDGET_PROGRAM]
  if (called.includes(sender)) throw invalid('senderAddress', 'is a program, which cannot sign')
}
