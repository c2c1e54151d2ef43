import type { TransferState } from '@sotto/sdk/wallet'

/** Each transfer under its own name: several tabs may have one under way. */
const PREFIX = 'sotto:transfer:'

/** A transfer that is under way in this browser; a page that is loaded again goes on with it. */
export function readTransfer(): TransferState | undefined {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
  for (const key of keys) {
    if (key?.startsWith(PREFIX) !== true) continue
    const state = stateOf(localStorage.getItem(key) ?? '')
    if (state !== undefined) return state
  }
  return undefined
}

/** Undefined for what somebody else wrote there: there is nothing to go on with. */
function stateOf(text: string): TransferState | undefined {
  try {
    const state = JSON.parse(text) as TransferState | null
    const isOurs = state !== null && typeof state === 'object' && 'order' in state
    return isOurs && typeof state.order.trackingId === 'string' ? state : undefined
  } catch {
    return undefined
  }
}

/** Keeps it before each step; at its end there is nothing to go on with. */
export async function saveTransfer(state: TransferState): Promise<void> {
  if (state.step === 'done') dropTransfer(state.result.trackingId)
  // Until the wallet is asked there is nothing that a page which is loaded again would have to finish.
  if (!('order' in state) || state.step === 'ordered') return
  localStorage.setItem(PREFIX + state.order.trackingId, JSON.stringify(state))
}

export const dropTransfer = (trackingId: string): void =>
  localStorage.removeItem(PREFIX + trackingId)
