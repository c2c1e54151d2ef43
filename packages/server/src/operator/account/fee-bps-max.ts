import { OperatorError } from '../../start/operator-error.ts'

/** Greatest share that an account may be allowed: with the service's own it stays under the half. */
export const FEE_BPS_MAX = 4_000

/** @throws OperatorError above the greatest. */
export function assertFeeBpsMax(feeBpsMax: number): void {
  if (feeBpsMax > FEE_BPS_MAX) throw new OperatorError(`--fee-bps-max is at most ${FEE_BPS_MAX}`)
}
