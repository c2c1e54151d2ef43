import type { TransferState } from '@sotto/sdk/wallet'

/** Prefix of a transfer's storage key. Each transfer has its own key, because each tab may run a transfer. */
const PREFIX = 'sotto:transfer:'
/** Prefix of the storage keys of transfers that the person set aside before the chain showed how they ended. */
const ASIDE_PREFIX = 'sotto:transfer-aside:'

/**
 * The transfer that a reloaded page continues. A transfer in progress in this browser comes first, then a transfer
 * that was set aside.
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

/** The saved state; undefined if its format is unknown, because such a state can't be continued. */
function stateOf(text: string): TransferState | undefined {
  try {
    const state = JSON.parse(text) as TransferState | null
    const isOurs = state !== null && typeof state === 'object' && 'order' in state
    return isOurs && typeof state.order.trackingId === 'string' ? state : undefined
  } catch {
    return undefined
  }
}

/** Saves a transfer's state before each step, and removes it after the last step. */
export async function saveTransfer(state: TransferState): Promise<void> {
  if (state.step === 'done') dropTransfer(state.result.trackingId)
  // Before the wallet is asked to sign, and after the last step, a reloaded page has nothing to continue.
  if (!('order' in state) || state.step === 'ordered') return
  localStorage.setItem(PREFIX + state.order.trackingId, JSON.stringify(state))
  localStorage.removeItem(ASIDE_PREFIX + state.order.trackingId)
}

/**
 * Sets a transfer aside, so that the person can begin a new transfer. The old transfer may still be paid, so its
 * state and its ticket are kept.
 */
export function setTransferAside(trackingId: string): void {
  const text = localStorage.getItem(PREFIX + trackingId)
  if (text === null) return
  localStorage.setItem(ASIDE_PREFIX + trackingId, text)
  localStorage.removeItem(PREFIX + trackingId)
}

const dropTransfer = (trackingId: string): void => {
  for (const prefix of [PREFIX, ASIDE_PREFIX]) localStorage.removeItem(prefix + trackingId)
}
