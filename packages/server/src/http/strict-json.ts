import { isSafeNumber, LosslessNumber, parse } from 'lossless-json'
import { invalid, ServiceError } from '../usecases/service-error.ts'
import { shownName } from './shown-name.ts'

/**
 * Greatest nesting depth of a body. It is far deeper than any valid body, and far below the depth at which a parser's
 * stack overflows.
 */
const DEPTH_MAX = 16

/**
 * Converts a JSON number. If a double keeps all of the number's digits, the number becomes a JavaScript number, so that
 * 45 and 45.0 are equal. Any other number becomes an object that matches no schema.
 */
const parseNumber = (text: string): unknown =>
  isSafeNumber(text) ? (JSON.parse(text) as number) : new LosslessNumber(text)

/**
 * Parses a request body without losing any information.
 *
 * @throws ServiceError INVALID_REQUEST for malformed JSON, a member named twice, or too much depth.
 */
export function parseStrictJson(text: string): unknown {
  return parsePlain(text) ?? parseCarefully(text)
}

/**
 * Parses a body in the form that `JSON.stringify` writes, which most clients send. This function is several times as
 * fast as the parser that reports mistakes. Returns undefined if the text isn't JSON, or if the value is nested too
 * deeply or contains a number that isn't a safe integer. Also returns undefined if `JSON.stringify` would write a
 * different text, for example because a member appears twice.
 */
function parsePlain(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    return isPlain(value, 0) && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** True if a value is no deeper than allowed and all its numbers are safe integers. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return true
  return depth < DEPTH_MAX && Object.values(value).every((inner) => isPlain(inner, depth + 1))
}

/** Parses any text, but more slowly than `parsePlain`. @throws ServiceError INVALID_REQUEST. */
export function parseCarefully(text: string): unknown {
  // This first parser refuses unclosed strings. For an unclosed string, TOKEN would search for the end again after each
  // quotation mark, which takes seconds for 64 KiB.
  refusing(() => JSON.parse(text) as unknown)
  assertUnambiguous(text)
  return refusing(() => parse(text, undefined, { parseNumber }))
}

function refusing(read: () => unknown): unknown {
  try {
    return read()
  } catch (cause) {
    const issues = [{ param: '', message: 'the body is not JSON' }]
    throw new ServiceError('INVALID_REQUEST', { cause, issues })
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs

/**
 * Refuses members that appear twice, even with the same value, because some programs use the first value and others the
 * last. `text` must be JSON, because only then is the string before a colon always a member's name.
 */
function assertUnambiguous(text: string): void {
  const names: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      names.push(new Set())
      if (names.length > DEPTH_MAX) throw invalid('', 'the body is nested too deeply')
    } else if (token === '}' || token === ']') names.pop()
    else if (token === ':') addName(names.at(-1), last)
    last = token
  }
}

function addName(names: Set<string> | undefined, token: string): void {
  // The name is unescaped first, because one name can be written in two ways.
  const name = JSON.parse(token) as string
  if (names?.has(name) === true) throw invalid(shownName(name), 'the member appears twice')
  names?.add(name)
}
