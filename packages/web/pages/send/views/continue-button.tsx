import type { Problem } from '../model/problems.ts'

interface Props {
  readonly problem: Problem
  /** True if the connected wallet started the transfer or top-up. */
  readonly isOwnWallet: boolean
  readonly resume: () => void
}

/**
 * A button that continues a stopped transfer or top-up. If the wallet is needed, it must be connected first, because
 * otherwise the same problem would occur again.
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
