/**
 * Time after which a cache must have dropped its entries about wallets. It is much shorter than the day for which the
 * service keeps the keys of delivered orders. A cache lists its entries in the sequence of their use. To a reader of
 * the process's memory, this sequence shows which wallets were used together, such as sender and recipient.
 */
export const FORGOTTEN_MS = 3_600_000

/**
 * Drops a cache's entries later, even if the cache isn't used again. The returned function must be called for each new
 * entry. `drop` runs at most `everyMs` after such a call. If `drop` returns true, the cache still has entries, and
 * `drop` runs again after `everyMs`. The timer doesn't keep a process running.
 */
export function forgetLater(drop: () => boolean, everyMs = FORGOTTEN_MS): () => void {
  let isPlanned = false
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    const timer: unknown = setTimeout(() => {
      isPlanned = false
      if (drop()) plan()
    }, everyMs)
    // In a browser, a timer is a number.
    if (typeof timer === 'object') (timer as { readonly unref: () => void }).unref()
  }
  return plan
}

/** Empties a cache `everyMs` after its first entry. The returned function must be called for each new entry. */
export const emptyLater = (
  cache: Pick<Map<unknown, unknown>, 'clear'>,
  everyMs = FORGOTTEN_MS,
): (() => void) =>
  forgetLater(() => {
    cache.clear()
    return false
  }, everyMs)
