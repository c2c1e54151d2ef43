/**
 * The start of every key. Because only the start is matched, truncated keys and keys inside other text are found too.
 */
const KEY_START = /sotto_(?:live|test)_[0-9A-Za-z]/
/**
 * Number of levels of percent encoding that are undone: more than a client and a proxy add. A key with more levels of
 * encoding isn't recognisable as a key in a log.
 */
const DECODINGS = 3

/**
 * True if any part of a request's target contains an API key or the start of an API key, percent-encoded or not.
 * Proxies log URLs, so a key in a URL isn't secret any more.
 */
export function urlHoldsKey(target: string): boolean {
  let text = target
  for (let round = 0; round <= DECODINGS; round += 1) {
    if (KEY_START.test(text)) return true
    if (!text.includes('%')) return false
    text = text.replaceAll(/%([0-7][0-9a-f])/gi, (_all, hex: string) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    )
  }
  return false
}
