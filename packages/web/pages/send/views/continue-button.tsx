import type { Problem } from '../model/problems.ts'

interface Props {
  readonly problem: Problem
  /** True if the wallet that started the transfer or top-up is connected. */
  readonly isOwnWallet: boolean
  readonly resume: () => void
}

/**
 * Continues a stopped transfer or top-up. The wallet must be connected first, because otherwise the same problem would
 * return.
 */
export function ContinueButton({ problem, isOwnWallet, resume }: Props) {
  const isReady = isOwnWallet || problem.needsWallet !== true
  return (
    <button
      type="button"
      class={isReady ? 'first' : 'second'}
      aria-disabled={!isReady}
      onClick={() => isReady && resume()}
    >
      Continue
    </button>
  )
}
