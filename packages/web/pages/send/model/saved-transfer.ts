import type { TransferState } from '@sotto/sdk/wallet'

/** Each transfer under its own name: several tabs may have one under way. */
const PREFIX = 'sotto:transfer:'
/** Transfers that the person left before the chain showed their end. */
const ASIDE_PREFIX = 'sotto:transfer-aside:'

/**
 * A transfer that is under way in this browser, or else one that was set aside; a page that is loaded
 * again goes on with it.
 */
export function readTransfer(): TransferState | undefined {
  return readFirst(PREFIX) ?? readFirst(ASIDE_PREFIX)
}

function readFirst(prefix: string): TransferState | undefined {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
  for (const key of keys) {
    if (key?.startsWith(prefix) !== true) continue
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
  localStorage.removeItem(ASIDE_PREFIX + state.order.trackingId)
}

/** Makes room for another transfer. This one may still be paid, so that it and its ticket are kept. */
export function setTransferAside(trackingId: string): void {
  const text = localStorage.getItem(PREFIX + trackingId)
  if (text === null) return
  localStorage.setItem(ASIDE_PREFIX + trackingId, text)
  localStorage.removeItem(PREFIX + trackingId)
}

const dropTransfer = (trackingId: string): void => {
  for (const prefix of [PREFIX, ASIDE_PREFIX]) localStorage.removeItem(prefix + trackingId)
}
