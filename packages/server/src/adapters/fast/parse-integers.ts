const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const FRACTION = /\.|[eE]-/
/**
 * Matches an integer. It limits the number of digits in the exponent, because reading millions of digits takes seconds.
 */
const INTEGER = /^(-?)(\d+)(?:[eE]\+?0*(\d{1,4}))?$/
/**
 * Maximum number of digits of an integer. Without this limit, a short number with a large exponent could fill the
 * memory.
 */
const DIGITS_MAX = 1_000n

/**
 * Parses JSON. Like the client library, it returns a bigint for each number without a fraction. The library examines
 * each character of an answer in JavaScript, which takes much of a request's processor time. This function skips whole
 * strings instead, for example the data of an account.
 *
 * @throws SyntaxError if the text isn't JSON.
 */
export function parseIntegers(json: string): unknown {
  return JSON.parse(wrapIntegers(json), (_, value: unknown) =>
    isWrapped(value) ? unwrap(value.$n) : value,
  )
}

/** Wraps each integer outside strings into an object, because `JSON.parse` would round a large integer. */
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

/**
 * Returns the index after the string that starts at the quote at `start`; the text's length if the string never ends.
 */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1
    // Two backslashes are an escaped backslash. Only an odd number of backslashes escapes the quote.
    if (backslashes % 2 === 0) return quote + 1
  }
  return json.length
}

const isWrapped = (value: unknown): value is { readonly $n: string } =>
  typeof value === 'object' && value !== null && '$n' in value && typeof value.$n === 'string'

function unwrap(text: string): bigint {
  const [, sign = '', digits = '', exponent = ''] = INTEGER.exec(text) ?? []
  // An answer may itself contain an object in the form of a wrapped integer, so `text` may be anything.
  if (digits === '' || BigInt(digits.length) + BigInt(exponent) > DIGITS_MAX) {
    throw new SyntaxError('the answer contains a number that is not a supported integer')
  }
  const whole = BigInt(sign + digits)
  return exponent === '' ? whole : whole * 10n ** BigInt(exponent)
}
