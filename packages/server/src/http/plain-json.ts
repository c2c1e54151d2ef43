/** Digits that a double always holds exactly. */
const DIGITS_MAX = 15

const QUOTE = 0x22
const COLON = 0x3a
const [OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = [0x7b, 0x5b, 0x7d, 0x5d]
const [ZERO, NINE] = [0x30, 0x39]
/** What makes a number more than its digits. */
const [DOT, MINUS, PLUS] = [0x2e, 0x2d, 0x2b]
const [EXPONENT, CAPITAL_EXPONENT] = [0x65, 0x45]

/**
 * How many members the text names, if it has no escape, no depth beyond the greatest allowed and no
 * number but short whole ones; undefined otherwise. Says nothing of text that isn't JSON.
 */
function countPlainMembers(text: string, depthMax: number): number | undefined {
  if (text.includes('\\') || text.includes('__proto__')) return undefined
  let members = 0
  let depth = 0
  let digits = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) {
      digits += 1
      if (digits > DIGITS_MAX) return undefined
      continue
    }
    if (code === DOT || code === MINUS || code === PLUS) return undefined
    if (digits > 0 && (code === EXPONENT || code === CAPITAL_EXPONENT)) return undefined
    digits = 0
    if (code === QUOTE) {
      at = text.indexOf('"', at + 1)
      if (at < 0) return undefined
    } else if (code === COLON) members += 1
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1
      if (depth > depthMax) return undefined
    }
  }
  return members
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  const isArray = Array.isArray(value)
  for (const inner of isArray ? value : Object.values(value)) {
    members += countMembers(inner) + (isArray ? 0 : 1)
  }
  return members
}

/**
 * Parses the plain JSON that nearly every client sends, many times as fast as the parser that can say
 * what is wrong. Undefined wherever anything is out of the ordinary: that parser then decides. A member
 * named twice is lost by `JSON.parse`, so that fewer members come out than colons went in.
 */
export function tryParsePlain(
  text: string,
  depthMax: number,
): { readonly value: unknown } | undefined {
  const members = countPlainMembers(text, depthMax)
  if (members === undefined) return undefined
  try {
    const value = JSON.parse(text) as unknown
    return countMembers(value) === members ? { value } : undefined
  } catch {
    return undefined
  }
}
