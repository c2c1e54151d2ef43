import { DEVELOPMENT_KEY, VKEY_SHA256 as RELEASED_VKEY } from '@sotto/protocol'
import type { Mistake } from './mistake.ts'
import type { Role, Rule, Values } from './values.ts'

/** A release's description of the key with which its program verifies proofs. */
export interface ReleasedKey {
  /** SHA-256 of the verifying key, in hexadecimal. */
  readonly vkeySha256: string
  readonly isDevelopment: boolean
}

export const thisRelease: ReleasedKey = {
  vkeySha256: RELEASED_VKEY,
  isDevelopment: DEVELOPMENT_KEY,
}

/** Mainnet needs a database that loses no write in a power cut. */
const storage: Rule = (all) => {
  if (all.CLUSTER !== 'mainnet') return []
  const found: Mistake[] = []
  if (all.PROFILE === 'embedded') {
    found.push({ name: 'PROFILE', problem: 'must be production on mainnet' })
  }
  if (all.DATABASE_URL === undefined) {
    const problem =
      'is required on mainnet: the embedded database can lose its last writes in a power cut'
    found.push({ name: 'DATABASE_URL', problem, fix: 'name a PostgreSQL server whose fsync is on' })
  }
  return found
}

/** If a file of fixed rates weren't updated, the pool would sell at an old price. */
const fixedPrices: Rule = ({ CLUSTER, PRICES_FILE, PRICES_FILE_AGE_SECONDS }) => {
  const isBounded = PRICES_FILE === undefined || PRICES_FILE_AGE_SECONDS !== undefined
  if (CLUSTER !== 'mainnet' || isBounded) return []
  const problem =
    'is required on mainnet if SOTTO_PRICES_FILE is set, because fixed rates become outdated'
  const fix = 'set the maximum age of the file in seconds'
  return [{ name: 'PRICES_FILE_AGE_SECONDS', problem, fix }]
}

/**
 * Jupiter's rate comes from a quote for one whole token. Anyone can place an offer of that size at any price, so
 * another source must agree.
 */
const jupiterAlone: Rule = ({ CLUSTER, PRICES }) => {
  if (CLUSTER !== 'mainnet' || PRICES?.length !== 1 || PRICES[0] !== 'jupiter') return []
  const problem =
    'is only "jupiter", whose rate anybody can move with a tiny offer; on mainnet another source must agree'
  return [{ name: 'PRICES', problem, fix: 'add "pyth" or "fixed", or set "none" to stop swaps' }]
}

type KeySettings = Pick<
  Partial<Values>,
  'CLUSTER' | 'ALLOW_FILE_KEYS' | 'KEYSTORE' | 'AUTHORISER_KEY' | 'RELAYER_KEYS'
>

/**
 * Finds keys in files that a process with these roles would use on mainnet, unless the operator allows such keys. The
 * roles may differ from those of the settings. A process doesn't open the signing keys of other roles.
 */
export function fileKeyMistakes(all: KeySettings, roles: readonly Role[]): Mistake[] {
  const { CLUSTER, ALLOW_FILE_KEYS, KEYSTORE, AUTHORISER_KEY, RELAYER_KEYS } = all
  if (CLUSTER !== 'mainnet' || ALLOW_FILE_KEYS !== false) return []
  const fix = 'keep them in Vault or KMS, or set SOTTO_ALLOW_FILE_KEYS=true to use files on purpose'
  const inFiles = [
    ['KEYSTORE', KEYSTORE === 'file'],
    ['AUTHORISER_KEY', roles.includes('api') && (AUTHORISER_KEY?.kind ?? 'file') === 'file'],
    [
      'RELAYER_KEYS',
      roles.includes('worker') && RELAYER_KEYS?.every(({ kind }) => kind !== 'file') !== true,
    ],
  ] as const
  const problem = 'keeps keys of mainnet in files'
  return inFiles.flatMap(([name, isFile]) => (isFile ? [{ name, problem, fix }] : []))
}

const fileKeys: Rule = (all) => fileKeyMistakes(all, all.ROLE ?? ['api', 'worker'])

/**
 * Returns the reason why the program's verifying key must not protect real funds, according to the settings and the
 * release. Returns undefined if the key may be used.
 */
export function programKeyMistake(
  release: ReleasedKey,
  given: {
    readonly PROGRAM_SHA256?: string | undefined
    readonly VKEY_SHA256?: string | undefined
  },
): Mistake | undefined {
  if ((given.PROGRAM_SHA256 === undefined) !== (given.VKEY_SHA256 === undefined)) {
    const problem =
      'and SOTTO_VKEY_SHA256 must both be set or both be absent on mainnet, because a program of your own has its own verifying key'
    return { name: 'PROGRAM_SHA256', problem, fix: 'verify that program and give both hashes' }
  }
  if ((given.VKEY_SHA256 ?? release.vkeySha256) === release.vkeySha256 && release.isDevelopment) {
    const problem =
      "is mainnet, but this release's proving key is for development: anybody could forge proofs with it"
    return { name: 'CLUSTER', problem, fix: 'use a release whose key comes from a ceremony' }
  }
  return undefined
}

const programKey: Rule = (all) => {
  if (all.CLUSTER !== 'mainnet') return []
  const found = programKeyMistake(thisRelease, all)
  return found === undefined ? [] : [found]
}

export const mainnetRules: readonly Rule[] = [
  storage,
  fileKeys,
  fixedPrices,
  jupiterAlone,
  programKey,
]
