import type { Problem } from '../model/problems.ts'

interface Props {
  readonly problem: Problem
  /** True if the wallet that started it is connected. */
  readonly isOwnWallet: boolean
  readonly resume: () => void
}

/** Continues what stopped. A wallet needs a moment to connect, and a click before that would end in the same problem. */
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
