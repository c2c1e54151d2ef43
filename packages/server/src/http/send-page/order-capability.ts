import { createHmac, timingSafeEqual } from 'node:crypto'

const COOKIE = 'sotto_order'
/**
 * Life of the cookie, in seconds. It is longer than an order's life: 30 minutes until the deadline, a delivery window,
 * and a refund.
 */
const MAX_AGE_SECONDS = 3 * 86_400

/**
 * Lets a browser follow the orders that it made, and no other orders. The browser gets a cookie for each order. The
 * cookie is sent only to the order's own path, and scripts can't read it. If a request lacks the cookie, the service
 * responds that the order doesn't exist. So a leaked tracking id reveals nothing. The service doesn't store the cookie,
 * which is a MAC of the tracking id. The key of the MAC is derived from the page's API key.
 */
export class OrderCapability {
  readonly #key: Buffer

  constructor(apiKey: string) {
    this.#key = createHmac('sha256', apiKey).update('sotto send page: orders, 1').digest()
  }

  /** Returns the value of `Set-Cookie`. `isSecure` is true if browsers reach the page by https. */
  grant(path: string, trackingId: string, isSecure: boolean): string {
    const parts = [
      `${COOKIE}=${this.#mac(trackingId)}`,
      `Path=${path}`,
      `Max-Age=${MAX_AGE_SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isSecure ? ['Secure'] : []),
    ]
    return parts.join('; ')
  }

  /** True if these cookies show that the browser made the order. */
  holds(cookies: string | undefined, trackingId: string): boolean {
    const expected = Buffer.from(this.#mac(trackingId))
    const sent = (cookies ?? '')
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one.startsWith(`${COOKIE}=`))
      .map((one) => Buffer.from(one.slice(COOKIE.length + 1)))
    return sent.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  }

  #mac(trackingId: string): string {
    return createHmac('sha256', this.#key).update(trackingId).digest('base64url')
  }
}
