/** The start of every key, so that a truncated one, or one inside other text, is found as well. */
const KEY_START = /sotto_(?:live|test)_[0-9A-Za-z]/
/** Levels of encoding to undo: the client's and a proxy's. A key encoded more deeply isn't readable in a log. */
const DECODINGS = 3

/**
 * True if a request's target contains an API key or the start of one: in the path or in names and values of the
 * query, percent-encoded or not. Proxies log URLs, so such a key isn't secret any more.
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
