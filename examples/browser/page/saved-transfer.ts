import type { TransferState } from '@sotto/sdk/wallet'

const KEY = 'sotto:transfer'

/** The transfer that is under way in this browser; a page that is loaded again goes on with it. */
export function readTransfer(): TransferState | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as TransferState)
}

/** Drops what nobody has been asked to sign: there is nothing that could still be paid. */
export function dropUnsigned(): void {
  const step = readTransfer()?.step
  if (step === 'asked' || step === 'quoted' || step === 'ordered') localStorage.removeItem(KEY)
}

/** Keeps it before each step; at its end there is nothing to go on with. */
export async function saveTransfer(state: TransferState): Promise<void> {
  if (state.step === 'done') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(state))
}
