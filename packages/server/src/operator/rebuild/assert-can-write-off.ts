import type { UnixSeconds } from '@sotto/protocol'
import { keyKeptUntilMs } from '../../domain/epoch.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import { isoOfMs } from '../../usecases/iso-time.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { Rebuilt } from './rebuild-orders.ts'

const WRONG_KEYSTORE =
  'a service with the right keystore would then destroy the keys to their money. Check that SOTTO_KEYS names the keystore of this service, with all its keys'

/** Checks that the keystore has keys. A keystore that isn't mounted is empty. @throws OperatorError. */
export async function assertHasKeys({ list }: Pick<Secrets, 'list'>): Promise<void> {
  if ((await list()).length > 0) return
  throw new OperatorError(
    `nothing was written off: the keystore has no epoch keys, so it opens no deposits, and ${WRONG_KEYSTORE}`,
  )
}

/**
 * Checks that the key of every lost deposit may have been destroyed on schedule. The keystore must have the keys of
 * younger deposits. If no key opens such a deposit, the keystore may be a wrong or incomplete one.
 *
 * @throws OperatorError.
 */
export function assertCanWriteOff({ lost, readUntil }: Pick<Rebuilt, 'lost' | 'readUntil'>): void {
  const keptUntil = (depositedAt: UnixSeconds) => keyKeptUntilMs(wholeNumber(depositedAt * 1_000n))
  const young = lost.filter(
    ({ depositedAt }) => wholeNumber(readUntil * 1_000n) < keptUntil(depositedAt),
  )
  const [first] = young
  if (first === undefined) return
  const latestMs = young.reduce((ms, one) => Math.max(ms, keptUntil(one.depositedAt)), 0)
  throw new OperatorError(
    `nothing was written off: ${young.length} of the unopened deposits, for example ${encodeTrackingId(first.orderId)}, ` +
      `are too young for their keys to have been destroyed, and ${WRONG_KEYSTORE}. If these deposits are not yours, ` +
      `write them off after ${isoOfMs(latestMs)}`,
  )
}
