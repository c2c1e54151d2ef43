import type { Mistake } from './mistake.ts'
import type { Role, Rule, Values } from './values.ts'

type Name = keyof Values
type Some = Partial<Values>

/** Settings that have an effect only together with another setting. */
interface Dependents {
  readonly names: readonly Name[]
  /**
   * The settings that decide whether `names` are used. While one of the deciding settings is invalid, nothing is
   * refused.
   */
  readonly by: readonly Name[]
  readonly isUsed: (all: Some) => boolean
  /** The reason why `names` aren't used, as the end of the sentence "X is set, but". */
  readonly reason: string
  readonly fix: string
}

type Kind = 'vault' | 'aws-kms'

/**
 * True if a signing key is named. Processes of different roles often share their settings, but each has only its own
 * keys. So if this process names a key anywhere, another process may name a key in Vault or in AWS KMS.
 */
const namesKeys = ({ AUTHORISER_KEY, RELAYER_KEYS }: Some): boolean =>
  AUTHORISER_KEY !== undefined || RELAYER_KEYS !== undefined

const sourcesOf = ({ PRICES, PRICES_FILE }: Some): readonly string[] =>
  PRICES ?? (PRICES_FILE === undefined ? [] : ['fixed'])

const screenersOf = ({ SCREENER, DENY_LIST_FILE }: Some): readonly string[] =>
  SCREENER ?? (DENY_LIST_FILE === undefined ? [] : ['deny-list'])

/** Settings that need a word in the list of another setting. */
const ofWord = (
  by: 'PRICES' | 'SCREENER',
  word: string,
  wordsOf: (all: Some) => readonly string[],
  ...names: readonly Name[]
): Dependents => ({
  ...{ names, by: [by] },
  isUsed: (all) => wordsOf(all).includes(word),
  reason: `SOTTO_${by} does not contain "${word}"`,
  fix: `add "${word}" to SOTTO_${by}, or remove this setting`,
})

const ROLES: readonly Role[] = ['api', 'worker']
const SIGNING_KEYS = ['AUTHORISER_KEY', 'RELAYER_KEYS'] as const
const REMOVE = 'remove this setting'
const keyAt = (kind: Kind) => `name a key as ${kind}:<key>, or ${REMOVE}`

/**
 * Jupiter's URL and key aren't in this list, because `inventory rebalance` uses them without Jupiter's prices. Limits
 * on which several choices depend, such as the spread, aren't in the list either.
 */
const DEPENDENTS: readonly Dependents[] = [
  ofWord('PRICES', 'fixed', sourcesOf, 'PRICES_FILE', 'PRICES_FILE_AGE_SECONDS'),
  ofWord(
    ...(['PRICES', 'pyth', sourcesOf] as const),
    ...(['PYTH_URL', 'PYTH_API_KEY', 'PYTH_FEEDS', 'PYTH_CONFIDENCE_BPS'] as const),
  ),
  ofWord('PRICES', 'jupiter', sourcesOf, 'JUPITER_IMPACT_BPS'),
  ofWord('SCREENER', 'deny-list', screenersOf, 'DENY_LIST_FILE'),
  ofWord(
    ...(['SCREENER', 'http', screenersOf, 'SCREENER_URL', 'SCREENER_API_KEY'] as const),
    ...(['SCREENER_TIMEOUT_MS', 'SCREENER_SPREAD_MS', 'SCREENER_KEPT_SECONDS'] as const),
  ),
  {
    names: ['TRACING_AUTHORIZATION', 'TRACING_PERCENT'],
    by: ['TRACING_URL'],
    isUsed: ({ TRACING_URL }) => TRACING_URL !== undefined,
    reason: 'SOTTO_TRACING_URL is not, so tracing is off',
    fix: `set SOTTO_TRACING_URL, or ${REMOVE}`,
  },
  {
    names: ['VKEY_SHA256'],
    by: ['PROGRAM_SHA256', 'CLUSTER'],
    // On mainnet, another rule reports this mistake.
    isUsed: ({ PROGRAM_SHA256, CLUSTER }) => PROGRAM_SHA256 !== undefined || CLUSTER === 'mainnet',
    reason: 'SOTTO_PROGRAM_SHA256 is not',
    fix: `set both, or ${REMOVE}`,
  },
]

/** Settings of Vault and of AWS KMS. */
const OF_KEY_SERVICES: readonly Dependents[] = [
  {
    names: ['VAULT_URL', 'VAULT_TOKEN', 'VAULT_NAMESPACE'],
    by: ['KEYSTORE', ...SIGNING_KEYS],
    isUsed: (all) => all.KEYSTORE === 'vault' || namesKeys(all),
    reason: 'no key is in Vault',
    fix: `set SOTTO_KEYSTORE=vault, ${keyAt('vault')}`,
  },
  {
    names: ['VAULT_TRANSIT'],
    by: SIGNING_KEYS,
    isUsed: namesKeys,
    reason: 'no signing key is in Vault',
    fix: keyAt('vault'),
  },
  {
    names: ['VAULT_KV', 'VAULT_KV_PATH'],
    by: ['KEYSTORE'],
    isUsed: ({ KEYSTORE }) => KEYSTORE === 'vault',
    reason: 'SOTTO_KEYSTORE is not "vault"',
    fix: `set SOTTO_KEYSTORE=vault, or ${REMOVE}`,
  },
  {
    names: ['AWS_REGION', 'AWS_KMS_URL', 'AWS_CREDENTIALS_URL'],
    by: SIGNING_KEYS,
    isUsed: namesKeys,
    reason: 'no signing key is in AWS KMS',
    fix: keyAt('aws-kms'),
  },
  {
    names: ['AWS_CREDENTIALS_TOKEN'],
    by: ['AWS_CREDENTIALS_URL'],
    isUsed: ({ AWS_CREDENTIALS_URL }) => AWS_CREDENTIALS_URL !== undefined,
    reason: 'SOTTO_AWS_CREDENTIALS_URL is not',
    fix: `set SOTTO_AWS_CREDENTIALS_URL, or ${REMOVE}`,
  },
  {
    names: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    by: [...SIGNING_KEYS, 'AWS_CREDENTIALS_URL'],
    isUsed: (all) => namesKeys(all) && all.AWS_CREDENTIALS_URL === undefined,
    reason: 'no signing key is in AWS KMS, or SOTTO_AWS_CREDENTIALS_URL takes its place',
    fix: REMOVE,
  },
]

const mistakesOf = (
  dependents: readonly Dependents[],
  ...[all, given]: Parameters<Rule>
): Mistake[] =>
  dependents.flatMap(({ names, by, isUsed, reason, fix }): Mistake[] => {
    const isUnknown = by.some((name) => given.has(name) && all[name] === undefined)
    if (isUnknown || isUsed(all)) return []
    const unused = names.filter((name) => given.has(name))
    return unused.map((name) => ({ name, problem: `is set, but ${reason}`, fix }))
  })

/**
 * Refuses settings that have no effect. Someone who sets the URL of a screener expects that addresses are screened.
 */
export const unusedSettings: Rule = (all, given) => mistakesOf(DEPENDENTS, all, given)

/**
 * Refuses settings of Vault and of AWS KMS that have no effect in a process of both roles. Any other process may share
 * them with a process whose keys are in Vault or in AWS KMS. `roles` are the process's roles; by default, those of
 * SOTTO_ROLE.
 */
export const unusedKeyServices =
  (roles?: readonly Role[]): Rule =>
  (all, given) =>
    ROLES.every((role) => (roles ?? all.ROLE ?? []).includes(role))
      ? mistakesOf(OF_KEY_SERVICES, all, given)
      : []
