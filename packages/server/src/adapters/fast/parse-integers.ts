const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const FRACTION = /\.|[eE]-/
/** The exponent's digits are limited, because even reading millions of them takes seconds. */
const INTEGER = /^(-?)(\d+)(?:[eE]\+?0*(\d{1,4}))?$/
/** Maximum number of digits of an integer. An exponent could otherwise ask for a number that fills the memory. */
const DIGITS_MAX = 1_000n

/**
 * Parses JSON, and makes a bigint of each number without a fraction, as the client library does. The library looks at
 * each character of an answer with JavaScript, which takes a large part of a request's processor time. This function
 * skips whole strings instead, such as an account's data.
 *
 * @throws SyntaxError if the text isn't JSON.
 */
export function parseIntegers(json: string): unknown {
  return JSON.parse(wrapIntegers(json), (_, value: unknown) =>
    isWrapped(value) ? unwrap(value.$n) : value,
  )
}

/** Puts each integer outside strings into an object, because `JSON.parse` would round a large one. */
function wrapIntegers(json: string): string {
  const parts: string[] = []
  let at = 0
  while (at < json.length) {
    const quote = json.indexOf('"', at)
    const start = quote < 0 ? json.length : quote
    parts.push(json.slice(at, start).replace(NUMBER, wrap))
    at = endOfString(json, start)
    parts.push(json.slice(start, at))
  }
  return parts.join('')
}

const wrap = (number: string): string => (FRACTION.test(number) ? number : `{"$n":"${number}"}`)

/** The place after the string that starts at this quote; the text's end if the string has none. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1
    // Two backslashes are an escaped backslash, so an odd number of them escapes the quote.
    if (backslashes % 2 === 0) return quote + 1
  }
  return json.length
}

const isWrapped = (value: unknown): value is { readonly $n: string } =>
  typeof value === 'object' && value !== null && '$n' in value && typeof value.$n === 'string'

function unwrap(text: string): bigint {
  const [, sign = '', digits = '', exponent = ''] = INTEGER.exec(text) ?? []
  // An answer may contain such an object itself.
  if (digits === '' || BigInt(digits.length) + BigInt(exponent) > DIGITS_MAX) {
    throw new SyntaxError('the answer has a number that is no usable integer')
  }
  const whole = BigInt(sign + digits)
  return exponent === '' ? whole : whole * 10n ** BigInt(exponent)
}
