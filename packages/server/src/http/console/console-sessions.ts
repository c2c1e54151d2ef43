import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'

const COOKIE = 'sotto_console'
const PATH = '/console'
const SESSION_BYTES = 32
/** Life of a session, in milliseconds: a working day. After this time, the operator must enter the token again. */
const LIFE_MS = 8 * 3_600_000
/** Maximum number of sessions, which limits memory. The few operators never need more sessions. */
const SESSIONS_MAX = 100

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Sessions of the console. They exist only in this process. Only the hash of a session's cookie is stored, because the
 * hash can't be used as a cookie.
 */
export class ConsoleSessions {
  readonly #token: Buffer
  readonly #clock: Clock
  readonly #random: Random
  /** End times of sessions, in milliseconds since 1970, by the hash of the cookie. The oldest session is first. */
  readonly #ends = new Map<string, number>()

  constructor(token: string, clock: Clock, random: Random) {
    this.#token = digest(token)
    this.#clock = clock
    this.#random = random
  }

  /**
   * Starts a session if the token is correct, and returns the header that sets its cookie. Returns undefined if the
   * token is wrong. The comparison takes the same time for every token.
   */
  begin(token: string): string | undefined {
    if (!timingSafeEqual(digest(token), this.#token)) return undefined
    const [oldest] = this.#ends.keys()
    if (this.#ends.size >= SESSIONS_MAX && oldest !== undefined) this.#ends.delete(oldest)
    const id = Buffer.from(this.#random.bytes(SESSION_BYTES)).toString('base64url')
    this.#ends.set(digest(id).toString('hex'), this.#clock.nowMs() + LIFE_MS)
    return `${COOKIE}=${id}; Path=${PATH}; Max-Age=${LIFE_MS / 1_000}; HttpOnly; SameSite=Strict`
  }

  /** Ends the session of these cookies and returns the header that deletes the session's cookie. */
  end(cookies: string | undefined): string {
    for (const key of keysOf(cookies)) this.#ends.delete(key)
    return `${COOKIE}=; Path=${PATH}; Max-Age=0; HttpOnly; SameSite=Strict`
  }

  /** True if these cookies contain a session that hasn't ended. */
  isOpen(cookies: string | undefined): boolean {
    const nowMs = this.#clock.nowMs()
    return keysOf(cookies).some((key) => (this.#ends.get(key) ?? 0) > nowMs)
  }
}

const keysOf = (cookies: string | undefined): string[] =>
  (cookies ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(`${COOKIE}=`))
    .map((one) => digest(one.slice(COOKIE.length + 1)).toString('hex'))
