import { isAddress, type Address } from '@solana/kit'
import { UNIT_PRICES } from '@sotto/protocol'
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseTargets } from './inventory-targets.ts'

/** A whole number between two bounds, given as digits. */
export const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must be between ${least} and ${most}`,
    })

/** A price step, given as its price in micro-lamports per compute unit. */
export const priceStep = z
  .string()
  .refine((given) => UNIT_PRICES.some((price) => `${price}` === given), {
    error: `must be one of ${UNIT_PRICES.join(', ')}`,
  })
  .transform((given) => UNIT_PRICES.findIndex((price) => `${price}` === given))

export const text = z.string().min(1)

export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((given) => given === 'true')

const isUrl = (given: string, protocols: readonly string[]) =>
  URL.canParse(given) && protocols.includes(new URL(given).protocol)

/** True if the user and the password of a URL can be decoded, so that they can be sent. */
function isDecodable(given: string): boolean {
  if (!URL.canParse(given)) return true
  const { username, password } = new URL(given)
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

const UNDECODABLE = 'has a % in its user or password that must be written as %25'

/**
 * A URL with one of these protocols. Each protocol ends with a colon. The URL's password may contain a bare %, because
 * the database client accepts a bare %.
 */
export const url = (...protocols: readonly string[]) =>
  z.string().refine((given) => isUrl(given, protocols), {
    error: `must be a URL that starts with ${protocols.join('// or ')}//`,
  })

const WEB = ['http:', 'https:'] as const
export const webUrl = url(...WEB).refine(isDecodable, { error: UNDECODABLE })

const split = (given: string): string[] => given.split(',').map((one) => one.trim())

export const webUrls = z
  .string()
  .transform(split)
  .refine((all) => all.every((one) => isUrl(one, WEB)), {
    error: 'must be URLs that start with http:// or https://, separated by commas',
  })
  .refine((all) => all.every(isDecodable), { error: UNDECODABLE })

export const address = z.custom<Address>((given) => typeof given === 'string' && isAddress(given), {
  error: 'must be a base58 address',
})

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })

/** A list of some of these words, separated by commas. Each word may appear at most once. */
export const someOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z
    .string()
    .transform(split)
    .pipe(
      z.array(
        z.enum(words, {
          error: `must be a list of these words, separated by commas: ${words.join(', ')}`,
        }),
      ),
    )
    .refine((all) => new Set(all).size === all.length, { error: 'must not contain a word twice' })

const IPV4_BITS = 32
const IPV6_BITS = 128

/** True for an IP address, or for a network such as `10.0.0.0/8`. */
function isNetwork(given: string): boolean {
  const [host = '', bits, ...rest] = given.split('/')
  const most = { 4: IPV4_BITS, 6: IPV6_BITS }[isIP(host)] ?? -1
  if (rest.length > 0 || most < 0) return false
  // A network of zero bits would include every address, so any client could fake its address.
  return bits === undefined || (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= most)
}

export const networks = z
  .string()
  .transform(split)
  .refine((all) => all.every(isNetwork), {
    error: 'must be addresses or networks, such as 10.0.0.0/8, separated by commas',
  })

export const contacts = z
  .string()
  .transform(split)
  .refine((all) => all.every((one) => isUrl(one, ['https:', 'mailto:', 'tel:'])), {
    error: 'must be URIs that start with mailto:, https: or tel:, separated by commas',
  })

/** Milliseconds since 1970. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2027-06-30T00:00:00Z' })
  .transform((given) => Date.parse(given))

const FEED = /^([1-9A-HJ-NP-Za-km-z]{32,44})=(?:0x)?([0-9a-f]{64})$/

/** Mints with the ids of their price feeds: `mint=id,mint=id`. */
export const feeds = z
  .string()
  .transform((given) => split(given).map((one) => FEED.exec(one)))
  .refine((all) => all.every((one) => one !== null && isAddress(one[1] ?? '')), {
    error: 'must be mint=feed id, separated by commas',
  })
  .transform((all) => new Map(all.map((one) => [one?.[1] as Address, one?.[2] ?? ''])))

/** The inventory's targets, as text that `parseTargets` accepts. */
export const targets = z.string().refine((given) => parseTargets(given) !== undefined, {
  error:
    'must name each mint once, separated by commas, either all with percentages that add up to 100 or all with base units',
})
