import { OperatorError } from '../../start/operator-error.ts'

/**
 * The highest cap that can be set on a partner's share, in basis points. With this cap, the share and the service's own
 * fee together stay below one half of the amount.
 */
export const FEE_BPS_MAX = 4_000

/** Checks a cap on a partner's share. @throws OperatorError above FEE_BPS_MAX. */
export function assertFeeBpsMax(feeBpsMax: number): void {
  if (feeBpsMax > FEE_BPS_MAX) throw new OperatorError(`--fee-bps-max is at most ${FEE_BPS_MAX}`)
}
