import type { TransferState } from '@sotto/sdk/wallet'

/** The state of a transfer that has an order. */
export type OrderedState = Extract<TransferState, { readonly order: object }>

/** Prefix of a transfer's storage key. Each transfer has its own key, because each tab may run a transfer. */
const PREFIX = 'sotto:transfer:'
/** Prefix of the storage keys of transfers that the person set aside before the chain showed how they ended. */
const ASIDE_PREFIX = 'sotto:transfer-aside:'

/**
 * The transfer that a reloaded page continues. A transfer in progress in this browser comes first. After it, the
 * transfers that were set aside take turns, in the order in which they were set aside. Without turns, a transfer that
 * can't end would hide all others.
 */
export function readTransfer(): TransferState | undefined {
  const [first] = readAll(PREFIX, stateOf)
  if (first !== undefined) return first
  const [next] = readAll(ASIDE_PREFIX, asideOf).sort((one, other) => one.turn - other.turn)
  return next?.state
}

/** The newest saved state of this transfer; undefined if it has ended. */
export const savedTransfer = (trackingId: string): TransferState | undefined =>
  stateOf(localStorage.getItem(PREFIX + trackingId) ?? '') ??
  asideOf(localStorage.getItem(ASIDE_PREFIX + trackingId) ?? '')?.state

function readAll<Kept>(prefix: string, read: (text: string) => Kept | undefined): Kept[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
  return keys
    .filter((key) => key?.startsWith(prefix) === true)
    .map((key) => read(localStorage.getItem(key ?? '') ?? ''))
    .filter((kept) => kept !== undefined)
}

/** A transfer that was set aside. The transfer with the lowest turn is continued next. */
interface Aside {
  readonly turn: number
  readonly state: TransferState
}

/** Earlier versions of the page kept only the state. Such a transfer has the first turn. */
function asideOf(text: string): Aside | undefined {
  const former = stateOf(text)
  if (former !== undefined) return { turn: 0, state: former }
  const kept = parsed(text) as Partial<Aside> | undefined
  const state = stateIn(kept?.state)
  if (state === undefined) return undefined
  return { turn: typeof kept?.turn === 'number' ? kept.turn : 0, state }
}

const stateOf = (text: string): TransferState | undefined => stateIn(parsed(text))

/** The saved state; undefined if its format is unknown, because such a state can't be continued. */
function stateIn(kept: unknown): TransferState | undefined {
  const { order } = (kept ?? {}) as { readonly order?: { readonly trackingId?: unknown } | null }
  return typeof order?.trackingId === 'string' ? (kept as TransferState) : undefined
}

/** The object or the value in a JSON text; undefined if there is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined
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
 * newest saved state and its ticket are kept. If the browser has lost them, the given state is kept.
 */
export function setTransferAside(given: OrderedState): void {
  const { trackingId } = given.order
  const state = savedTransfer(trackingId) ?? given
  const turn = 1 + Math.max(0, ...readAll(ASIDE_PREFIX, asideOf).map((one) => one.turn))
  localStorage.setItem(ASIDE_PREFIX + trackingId, JSON.stringify({ turn, state }))
  localStorage.removeItem(PREFIX + trackingId)
}

const dropTransfer = (trackingId: string): void => {
  for (const prefix of [PREFIX, ASIDE_PREFIX]) localStorage.removeItem(prefix + trackingId)
}
