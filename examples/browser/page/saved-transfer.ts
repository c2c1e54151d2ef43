import type { TransferState } from '@sotto/sdk/wallet'

const KEY = 'sotto:transfer'

/** The unfinished transfer in this browser, which a reloaded page continues; undefined if there is none. */
export function readTransfer(): TransferState | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as TransferState)
}

/** Deletes a saved transfer that was never sent to a wallet for signing. Such a transfer can't be paid. */
export function dropUnsigned(): void {
  const step = readTransfer()?.step
  if (step === 'asked' || step === 'quoted' || step === 'ordered') localStorage.removeItem(KEY)
}

/** Saves the transfer's state before each step, and removes it after the last step. */
export async function saveTransfer(state: TransferState): Promise<void> {
  if (state.step === 'done') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(state))
}
