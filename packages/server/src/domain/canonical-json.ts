// Matches the characters that JSON must escape: control characters, the quote, the backslash, and unpaired surrogates.
// It also matches paired surrogates, which `JSON.stringify` then leaves as they are.
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/

/** A string as a JSON text. Nearly all strings of this service need no escapes. */
export const quoted = (text: string): string =>
  ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`

/**
 * Writes a JSON value in its canonical form: members sorted by code unit, no white space, the shortest escapes and
 * numbers. Two different values never give the same text, except -0 and 0, whose difference doesn't matter here. Every
 * quote and every retry is serialised once or twice. The code uses plain loops because code with arrays of entries
 * takes several times as long.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '' : ',') + canonicalJson(item)
    return `[${text}]`
  }
  const members = value as Readonly<Record<string, unknown>>
  // Without a comparison function, `sort` orders strings by code unit.
  for (const name of Object.keys(members).sort()) {
    const member = members[name]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}
