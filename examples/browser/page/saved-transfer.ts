import type { TransferState } from '@sotto/sdk/wallet'

const KEY = 'sotto:transfer'

/** The unfinished transfer in this browser. A reloaded page continues it. */
export function readTransfer(): TransferState | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as TransferState)
}

/** Deletes a transfer that was never sent to a wallet for signing, so it can't be paid. */
export function dropUnsigned(): void {
  const step = readTransfer()?.step
  if (step === 'asked' || step === 'quoted' || step === 'ordered') localStorage.removeItem(KEY)
}

/** Saves the transfer before each step, and removes it at the end. */
export async function saveTransfer(state: TransferState): Promise<void> {
  if (state.step === 'done') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(state))
}
