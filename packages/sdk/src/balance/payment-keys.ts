import { parseWhole } from '@sotto/protocol'

const CLOSING = 'close'
/**
 * Prefixes of the stored keys of single payments and of the lines of lists. Because of the prefixes, payments of
 * different kinds never have the same stored key, whatever keys and ids the caller chooses.
 */
const ONE = 'one:'
const LINE = 'line:'

/** Identifies a payment of a balance. */
export type PaymentName =
  /** A payment by `send`. The caller chose the key. */
  | { readonly kind: 'single'; readonly key: string }
  /** A line of a list. The caller chose the id. The first line has the number 0. */
  | { readonly kind: 'line'; readonly list: string; readonly line: number }
  /** A payment by `close`. */
  | { readonly kind: 'close' }

/**
 * The stored key of a single payment.
 * @throws RangeError if the caller's key isn't a text, or is empty. Two payments without a key would count as one
 *   payment.
 */
export function storedKeyOf(key: string): string {
  if (isText(key)) return ONE + key
  throw new RangeError('each payment needs its own key, such as the number of an invoice')
}

/** @throws RangeError if the id isn't a text, or is empty. */
export function assertListId(id: string): void {
  if (!isText(id)) throw new RangeError('each list needs its own id, such as payroll-2026-11')
}

// Callers in plain JavaScript may pass any value.
const isText = (given: unknown): boolean => typeof given === 'string' && given !== ''

/** The key of the payment for a line. It never equals the key of another payment. */
export const keyOfLine = (id: string, line: number): string => `${LINE}${line}:${id}`

/** The stored key of a balance's first, second, ... closing payment. */
export const closingKey = (number: number): string =>
  number === 1 ? CLOSING : `${CLOSING}:${number}`

export const isClosingKey = (stored: string): boolean =>
  stored === CLOSING || stored.startsWith(`${CLOSING}:`)

/** The stored keys of all closing payments, the newest last. */
export function closingKeysIn(payments: Readonly<Record<string, unknown>>): readonly string[] {
  const keys: string[] = []
  for (let key = closingKey(1); Object.hasOwn(payments, key); key = closingKey(keys.length + 1)) {
    keys.push(key)
  }
  return keys
}

const STORED_LINE = /^line:([0-9]+):(.*)$/su

export function nameIn(stored: string): PaymentName {
  if (isClosingKey(stored)) return { kind: 'close' }
  const [, line, list] = STORED_LINE.exec(stored) ?? []
  if (line !== undefined && list !== undefined) {
    return { kind: 'line', list, line: parseWhole(line) }
  }
  return { kind: 'single', key: stored.slice(ONE.length) }
}
