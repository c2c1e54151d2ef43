/** How every key begins, so that one cut short or glued to other text is found as well. */
const KEY_START = /sotto_(?:live|test)_[0-9A-Za-z]/
/** Encoded once by the client, once more by something on the way; deeper, no log shows a key. */
const DECODINGS = 3

/**
 * True where an API key, or the beginning of one, stands anywhere in a request's target: path, names
 * and values of the query, in percent signs too. URLs are logged on the way, so such a key is no
 * secret any more.
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
