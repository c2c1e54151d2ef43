import { forgetLater } from '../forget-later.ts'

/**
 * A cache of the values that were used most recently, at most `most` of them. It is emptied `FORGOTTEN_MS` after its
 * first entry.
 *
 * @returns a function that returns the value for a key. It calls `make` if the cache doesn't have the value.
 */
export function keepLast<T extends object>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>()
  // Iterates over the keys, least recently used first, and continues from call to call. A new iterator would first have
  // to skip the gaps that earlier deletions left in the map. That takes longer than deriving an address.
  let oldest = kept.keys()
  const forget = forgetLater(() => {
    kept.clear()
    // The old iterator would keep the dropped entries in memory.
    oldest = kept.keys()
    return false
  })
  const dropOldest = () => {
    let next = oldest.next()
    if (next.done === true) {
      oldest = kept.keys()
      next = oldest.next()
    }
    if (next.done !== true) kept.delete(next.value)
  }
  return (key, make) => {
    const value = kept.get(key) ?? make()
    kept.delete(key)
    if (kept.size >= most) dropOldest()
    kept.set(key, value)
    forget()
    return value
  }
}
