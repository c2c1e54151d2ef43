import type { TransferState } from '@sotto/sdk/wallet'

const KEY = 'sotto:transfer'

/** The unfinished transfer in this browser, which a reloaded page continues; undefined if there is none. */
export function readTransfer(): TransferState | undefined {
  const text = localStorage.getItem(KEY)
  return text === null ? undefined : (JSON.parse(text) as TransferState)
}

/** Deletes a saved transfer that was never sent to a wallet for signing. Such a transfer can't be paid. */
export function dropUnsigned(begun: TransferState): void {
  const saved = readTransfer()
  if (saved === undefined || idOf(saved) !== idOf(begun)) return
  const { step } = saved
  if (step === 'asked' || step === 'quoted' || step === 'ordered') localStorage.removeItem(KEY)
}

/**
 * Saves the transfer's state before each step, and removes it after the last step.
 *
 * @throws Error if another transfer is saved, for example by another tab. The saved transfer may already be paid, and
 * only its saved state contains its ticket.
 */
export async function saveTransfer(state: TransferState): Promise<void> {
  const saved = readTransfer()
  if (state.step === 'done') {
    // Another tab may have ended this transfer before, and may have begun the saved one since.
    if (orderOf(saved) === state.result.trackingId) localStorage.removeItem(KEY)
  } else if (saved === undefined || idOf(saved) === idOf(state)) {
    localStorage.setItem(KEY, JSON.stringify(state))
  } else throw new Error('another transfer is unfinished: reload the page to continue it')
}

const idOf = (state: TransferState): string | undefined =>
  state.step === 'done' ? undefined : state.transferId

const orderOf = (state: TransferState | undefined): string | undefined =>
  state !== undefined && 'order' in state ? state.order.trackingId : undefined
