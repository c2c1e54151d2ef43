/**
 * Makes each value once. To limit memory, only the `most` values that were used last are kept.
 *
 * @returns a function that gives the value of a key, and makes it if it isn't kept.
 */
export function keepLast<T extends object>(most: number): (key: string, make: () => T) => T {
  const kept = new Map<string, T>()
  // The keys from the least recently used one on, read on from call to call. A new list of keys would first pass over
  // the gaps that earlier deletions have left, which takes longer than deriving an address.
  let oldest = kept.keys()
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
    return value
  }
}
