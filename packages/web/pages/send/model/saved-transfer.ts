import type { TransferState } from '@sotto/sdk/wallet'

const KEY = 'sotto:transfer'

/** The transfer that is under way in this browser; a page that is loaded again goes on with it. */
export function readTransfer(): TransferState | undefined {
  const text = localStorage.getItem(KEY)
  if (text === null) return undefined
  try {
    return JSON.parse(text) as TransferState
  } catch {
    // Not ours: somebody else wrote there, and there is nothing to go on with.
    return undefined
  }
}

/** Keeps it before each step; at its end there is nothing to go on with. */
export async function saveTransfer(state: TransferState): Promise<void> {
  // Until the wallet is asked there is nothing that a page which is loaded again would have to finish.
  const isOpen = state.step !== 'asked' && state.step !== 'quoted' && state.step !== 'ordered'
  if (state.step === 'done') localStorage.removeItem(KEY)
  else if (isOpen) localStorage.setItem(KEY, JSON.stringify(state))
}

export const dropTransfer = (): void => localStorage.removeItem(KEY)
