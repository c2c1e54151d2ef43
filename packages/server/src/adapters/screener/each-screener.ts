import type { Screener } from '../../ports/screener.ts'

/**
 * Combines several screeners. They are asked one after another until one of them refuses the address. An address that
 * all screeners accept passes.
 */
export function eachScreener(screeners: readonly Screener[]): Screener {
  const [only] = screeners
  if (only !== undefined && screeners.length === 1) return only
  return {
    isRefused: async (address, accountId) => {
      for (const one of screeners) if (await one.isRefused(address, accountId)) return true
      return false
    },
  }
}
