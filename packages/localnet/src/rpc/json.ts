import { randomUUID } from 'node:crypto'

/** Integers with more digits than this may not fit into a double, so they are read as bigint. */
const SAFE_DIGITS = 15

/** A random string that no document contains by chance. Each process makes a new string. */
const MARK = `${randomUUID()}:`

/** Matches numbers and whole strings. Strings are matched so that the digits inside them are skipped. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const INTEGER = /^-?\d+$/

/**
 * Parses JSON without losing digits: integers too long for a double become bigint.
 * Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const marked = text.replace(TOKENS, (token) =>
    token.length > SAFE_DIGITS && INTEGER.test(token) ? `"${MARK}${token}"` : token,
  )
  if (marked === text) return JSON.parse(text)
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  )
}

/** Writes JSON, with bigints as integers of full precision, as Solana's nodes do. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  let text = ''
  // Texts are appended one by one, because collecting them in a list would take several times as long.
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${stringifyJson(item)}`
    return `[${text}]`
  }
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${stringifyJson(member)}`
  }
  return `{${text}}`
}
