import { MAX_DELIVERY_SECONDS, MAX_DEPOSIT_SECONDS, TIME_GRID_SECONDS } from '@sotto/protocol'
import { isAddress, type Address } from '@solana/kit'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

/** One or more settings are wrong; the message lists all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const GRID = Number(TIME_GRID_SECONDS)
/** A transaction takes up to two minutes to land; its deadline counts from when it was made. */
const ORDER_SECONDS_MAX = Number(MAX_DEPOSIT_SECONDS) - 120
/** `expiry <= deadline + MAX_DELIVERY` on chain, and rounding the deadline adds up to one grid step. */
const WINDOW_MAX = Number(MAX_DELIVERY_SECONDS) - GRID

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must lie between ${least} and ${most}`,
    })
const url = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL that starts with ${protocols.join('// or ')}//`,
  })
const programId = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), {
  error: 'must be the base58 address of the program',
})
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
const roles = z
  .string()
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(['api', 'worker'])).min(1))

const IPV4_BITS = 32
const IPV6_BITS = 128

/** An address, or a network as an address and the bits that count. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const most = { 4: IPV4_BITS, 6: IPV6_BITS }[isIP(address)] ?? -1
  if (rest.length > 0 || most < 0) return false
  // Of no bits, a network is everybody: anyone could then name any address as their own.
  return bits === undefined || (/^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= most)
}

const networks = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((all) => all.every(isNetwork), {
    error: 'must be addresses or networks, such as 10.0.0.0/8, with commas between them',
  })

const settings = z
  .object({
    RPC_URL: url(['http:', 'https:']),
    PROGRAM_ID: programId,
    PROGRAM_SHA256: sha256.optional(),
    VKEY_SHA256: sha256.optional(),
    CLUSTER: z.enum(['localnet', 'devnet', 'mainnet']),
    DATA: z.string().min(1).default('./.sotto'),
    DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
    HOST: z.string().min(1).default('127.0.0.1'),
    PORT: whole(0, 65_535).prefault('8080'),
    TRUSTED_PROXIES: networks.optional(),
    METRICS_PORT: whole(0, 65_535).optional(),
    KEYS: z.string().min(1).optional(),
    PRICES_FILE: z.string().min(1).optional(),
    DENY_LIST_FILE: z.string().min(1).optional(),
    DELIVERY_WINDOW_SECONDS: whole(GRID, WINDOW_MAX)
      .refine((value) => value % GRID === 0, { error: `must be a multiple of ${GRID}` })
      .prefault('3600'),
    DELAY_MIN_SECONDS: whole(0, WINDOW_MAX).prefault('10'),
    DELAY_MAX_SECONDS: whole(0, WINDOW_MAX).prefault('60'),
    ORDER_SECONDS: whole(60, ORDER_SECONDS_MAX).prefault('1800'),
    QUOTE_SECONDS: whole(5, 600).prefault('60'),
    SWAP_SECONDS: whole(30, 600).prefault('90'),
    SPREAD_BPS: whole(0, 1_000).prefault('30'),
    PRICE_TOLERANCE_BPS: whole(0, 1_000).prefault('50'),
    DEPOSIT_PRIORITY_FEE: whole(0, 1_000_000_000).prefault('0'),
    SETTLE_PRIORITY_FEE: whole(0, 1_000_000_000).prefault('0'),
    PROVER_PROCESSES: whole(1, 64).prefault('1'),
    UPKEEP_SECONDS: whole(1, 86_400).optional(),
    POLL_MS: whole(50, 60_000).prefault('400'),
    RATE_PER_SECOND: whole(1, 100_000).prefault('50'),
    RATE_BURST: whole(1, 100_000).prefault('200'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    ROLE: roles.prefault('api,worker'),
  })
  .refine((all) => all.DELAY_MIN_SECONDS <= all.DELAY_MAX_SECONDS, {
    path: ['DELAY_MAX_SECONDS'],
    error: 'must not be smaller than SOTTO_DELAY_MIN_SECONDS',
  })
  .refine((all) => all.DELAY_MAX_SECONDS <= all.DELIVERY_WINDOW_SECONDS, {
    path: ['DELAY_MAX_SECONDS'],
    error: 'must not be greater than SOTTO_DELIVERY_WINDOW_SECONDS',
  })
  .refine((all) => all.CLUSTER !== 'mainnet' || all.DATABASE_URL !== undefined, {
    path: ['DATABASE_URL'],
    error: 'is required on mainnet: the embedded database can lose its last writes in a power cut',
  })

export type Role = 'api' | 'worker'
/** Every setting with its default filled in; the name of a setting is `SOTTO_` + its member. */
export type Config = z.infer<typeof settings> & {
  /** Folder of authoriser.json, relayers/*.json, epochs/ and pepper. */
  readonly KEYS: string
  /** Pause between rounds of rent, books and destruction of keys. */
  readonly UPKEEP_SECONDS: number
}

const PREFIX = 'SOTTO_'

/**
 * Reads the settings from variables that start with `SOTTO_`; an empty one counts as absent.
 *
 * @throws ConfigError that lists every mistake, unknown names included.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => name.startsWith(PREFIX) && value !== undefined && value !== '')
      .map(([name, value]) => [name.slice(PREFIX.length), value]),
  )
  const unknown = Object.keys(given).filter((name) => !(name in settings.shape))
  const result = settings.safeParse(given)
  const mistakes = [
    ...(result.error?.issues ?? []).map(({ path, message, code }) =>
      code === 'invalid_type' || (path[0] === 'PROGRAM_ID' && !('PROGRAM_ID' in given))
        ? `${PREFIX}${String(path[0])} is required`
        : `${PREFIX}${String(path[0])} ${message}`,
    ),
    ...unknown.map((name) => `${PREFIX}${name} is no setting of this service`),
  ]
  if (!result.success || mistakes.length > 0) {
    throw new ConfigError(`the configuration is wrong:\n${mistakes.map(indent).join('\n')}`)
  }
  const { KEYS, DATA, UPKEEP_SECONDS, CLUSTER } = result.data
  return {
    ...result.data,
    KEYS: KEYS ?? join(DATA, 'keys'),
    // A round lists all of the program's accounts, which costs a public node something.
    UPKEEP_SECONDS: UPKEEP_SECONDS ?? (CLUSTER === 'localnet' ? 5 : 120),
  }
}

const indent = (line: string): string => `  - ${line}`
