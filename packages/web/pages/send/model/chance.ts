const ID_BYTES = 16
const UNIT = 2 ** 32

/** A random name of 32 hex digits. It is long enough to be unique. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** A random whole number of milliseconds below the limit. */
export function randomMs(limit: number): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((drawn / UNIT) * limit)
}
