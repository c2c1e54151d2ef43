import type { Screener } from '../../ports/screener.ts'

/** Several screeners, asked one after another until one refuses; each must answer for an address to pass. */
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
