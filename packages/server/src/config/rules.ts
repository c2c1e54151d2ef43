import { settlementPriority } from '../domain/settlement-cost.ts'
import { mainnetRules } from './mainnet-rules.ts'
import { DELAY_MAX_DEFAULT } from './sections/transfers.ts'
import type { Mistake } from './mistake.ts'
import { nodeRules } from './node-rules.ts'
import { unusedSettings } from './unused-settings.ts'
import { hasCredentials, urlCredentials } from './url-credentials.ts'
import type { Rule, Values } from './values.ts'

const delays: Rule = ({ DELAY_MIN_SECONDS, DELAY_MAX_SECONDS, DELIVERY_WINDOW_SECONDS }) => {
  const name = 'DELAY_MAX_SECONDS'
  if (DELAY_MAX_SECONDS === undefined) {
    // The default of the maximum delay never exceeds the window, but it may be below the configured minimum delay.
    const most = Math.min(DELAY_MAX_DEFAULT, DELIVERY_WINDOW_SECONDS ?? DELAY_MAX_DEFAULT)
    if (DELAY_MIN_SECONDS === undefined || DELAY_MIN_SECONDS <= most) return []
    const problem = `must not be greater than SOTTO_DELAY_MAX_SECONDS, which is ${most} by default`
    return [{ name: 'DELAY_MIN_SECONDS', problem, fix: 'reduce it, or set both' }]
  }
  if (DELAY_MIN_SECONDS !== undefined && DELAY_MIN_SECONDS > DELAY_MAX_SECONDS) {
    return [{ name, problem: 'must not be smaller than SOTTO_DELAY_MIN_SECONDS' }]
  }
  if (DELIVERY_WINDOW_SECONDS !== undefined && DELAY_MAX_SECONDS > DELIVERY_WINDOW_SECONDS) {
    return [{ name, problem: 'must not be greater than SOTTO_DELIVERY_WINDOW_SECONDS' }]
  }
  return []
}

const unitPrices: Rule = ({ UNIT_PRICE_MIN, UNIT_PRICE_MAX }) =>
  UNIT_PRICE_MIN !== undefined && UNIT_PRICE_MAX !== undefined && UNIT_PRICE_MIN > UNIT_PRICE_MAX
    ? [{ name: 'UNIT_PRICE_MIN', problem: 'must not be greater than SOTTO_UNIT_PRICE_MAX' }]
    : []

/** If an order's limit were below the priority fee of one settlement, no order could be paid at the maximum price. */
const orderPriority: Rule = ({ UNIT_PRICE_MAX, ORDER_PRIORITY_MAX }) => {
  if (UNIT_PRICE_MAX === undefined || ORDER_PRIORITY_MAX === undefined) return []
  const least = settlementPriority(UNIT_PRICE_MAX)
  if (BigInt(ORDER_PRIORITY_MAX) >= least) return []
  const problem = `must cover one settlement at SOTTO_UNIT_PRICE_MAX, which costs ${least} lamports`
  return [{ name: 'ORDER_PRIORITY_MAX', problem, fix: 'raise it, or reduce SOTTO_UNIT_PRICE_MAX' }]
}

const required = (name: keyof Values, what: string, fix: string): Mistake => ({
  name,
  problem: `is required ${what}`,
  fix,
})

const prices: Rule = (all) => {
  const { PRICES, PRICES_FILE, PYTH_FEEDS } = all
  if (PRICES === undefined) return []
  const found: Mistake[] = []
  const has = (one: (typeof PRICES)[number]) => PRICES.includes(one)
  if (has('none') && PRICES.length > 1) {
    found.push({
      name: 'PRICES',
      problem: 'contains "none" and another word',
      fix: 'remove "none"',
    })
  }
  if (has('fixed') && PRICES_FILE === undefined) {
    found.push(required('PRICES_FILE', 'for fixed prices', 'set it to the file of the rates'))
  }
  if (has('pyth') && PYTH_FEEDS === undefined) {
    found.push(required('PYTH_FEEDS', 'for prices of Pyth', 'give mint=feed id for each asset'))
  }
  return found
}

const screening: Rule = ({ SCREENER, SCREENER_URL, DENY_LIST_FILE }) => {
  if (SCREENER === undefined) return []
  const found: Mistake[] = []
  if (SCREENER.includes('none') && SCREENER.length > 1) {
    found.push({
      name: 'SCREENER',
      problem: 'contains "none" and another word',
      fix: 'remove "none"',
    })
  }
  if (SCREENER.includes('http') && SCREENER_URL === undefined) {
    found.push(required('SCREENER_URL', 'for screening over HTTP', "set it to the service's URL"))
  }
  if (SCREENER.includes('deny-list') && DENY_LIST_FILE === undefined) {
    found.push(
      required('DENY_LIST_FILE', 'for screening with a list', 'set it to the file of the list'),
    )
  }
  return found
}

const keys: Rule = (all) => {
  const { KEYSTORE, AUTHORISER_KEY, RELAYER_KEYS, VAULT_URL, VAULT_TOKEN, AWS_REGION } = all
  const kinds = [AUTHORISER_KEY, ...(RELAYER_KEYS ?? [])].map((one) => one?.kind)
  const found: Mistake[] = []
  if (kinds.includes('vault') || KEYSTORE === 'vault') {
    const by = 'for keys in Vault'
    if (VAULT_URL === undefined) found.push(required('VAULT_URL', by, "set it to Vault's URL"))
    if (VAULT_TOKEN === undefined) {
      found.push(required('VAULT_TOKEN', by, 'set it, or SOTTO_VAULT_TOKEN_FILE'))
    }
  }
  if (!kinds.includes('aws-kms')) return found
  if (AWS_REGION === undefined) {
    found.push(required('AWS_REGION', 'for keys in AWS KMS', "set it to the keys' region"))
  }
  const isStatic = all.AWS_ACCESS_KEY_ID !== undefined && all.AWS_SECRET_ACCESS_KEY !== undefined
  if (all.AWS_CREDENTIALS_URL === undefined && !isStatic) {
    const fix =
      'set it, or both SOTTO_AWS_ACCESS_KEY_ID and SOTTO_AWS_SECRET_ACCESS_KEY; each may come from a file'
    found.push(required('AWS_CREDENTIALS_URL', 'for keys in AWS KMS', fix))
  }
  return found
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True if requests to a URL leave this machine unencrypted. */
const isOpen = (url: string): boolean =>
  !url.startsWith('https:') && !LOOPBACK.has(new URL(url).hostname)

/** Returns the URL of a service if requests to it carry a secret. */
const secured = (url: string | undefined, key: string | undefined): string | undefined =>
  url !== undefined && (key !== undefined || hasCredentials(url)) ? url : undefined

const production: Rule = (all) => {
  if (all.PROFILE !== 'production') return []
  const found: Mistake[] = []
  if (all.DATABASE_URL === undefined) {
    const what =
      'in the profile production, because the embedded database can lose its last writes in a power cut'
    found.push(required('DATABASE_URL', what, 'set it to a PostgreSQL server'))
  }
  if (all.METRICS_PORT === undefined) {
    const what = 'in the profile production, because operators must see alerts'
    found.push(required('METRICS_PORT', what, 'for example SOTTO_METRICS_PORT=9464'))
  }
  const carriers = [
    ['VAULT_URL', all.VAULT_URL],
    ['PYTH_URL', secured(all.PYTH_URL, all.PYTH_API_KEY)],
    ['JUPITER_URL', secured(all.JUPITER_URL, all.JUPITER_API_KEY)],
    ['SCREENER_URL', all.SCREENER_URL],
    ['TRACING_URL', secured(all.TRACING_URL, all.TRACING_AUTHORIZATION)],
    ['LEAVES_URLS', all.LEAVES_URLS?.filter(hasCredentials).find(isOpen)],
  ] as const
  for (const [name, url] of carriers) {
    if (url === undefined || !isOpen(url)) continue
    const problem = 'would carry secrets or addresses unencrypted to another machine'
    found.push({ name, problem, fix: 'use https, or an agent on this machine' })
  }
  return found
}

const securityText: Rule = ({ SECURITY_CONTACT, SECURITY_EXPIRES }) => {
  if ((SECURITY_CONTACT === undefined) === (SECURITY_EXPIRES === undefined)) return []
  const name = SECURITY_CONTACT === undefined ? 'SECURITY_CONTACT' : 'SECURITY_EXPIRES'
  const other = SECURITY_CONTACT === undefined ? 'SECURITY_EXPIRES' : 'SECURITY_CONTACT'
  return [
    required(
      name,
      `if SOTTO_${other} is set, because RFC 9116 requires both`,
      'set both or neither',
    ),
  ]
}

const testMode: Rule = ({ TEST_MODE, CLUSTER }) => {
  if (TEST_MODE !== true || CLUSTER === undefined || CLUSTER === 'localnet') return []
  const problem = 'is only for the local chain, because some of its recipients are never paid'
  return [{ name: 'TEST_MODE', problem, fix: 'remove it, or set SOTTO_CLUSTER=localnet' }]
}

/** The chain must be read at least twice within the time after which new orders are refused. */
const following: Rule = ({ POLL_MS, UNFOLLOWED_SECONDS }) => {
  if (POLL_MS === undefined || UNFOLLOWED_SECONDS === undefined) return []
  const mostMs = (UNFOLLOWED_SECONDS * 1_000) / 2
  if (POLL_MS <= mostMs) return []
  const problem = `must be at most ${mostMs}, half of SOTTO_UNFOLLOWED_SECONDS; otherwise new orders would be refused between two reads of the chain`
  return [{ name: 'POLL_MS', problem, fix: 'reduce it, or raise SOTTO_UNFOLLOWED_SECONDS' }]
}

/**
 * All rules. Every rule is checked and every mistake is reported, so that the operator can correct all mistakes at
 * once.
 */
export const rules: readonly Rule[] = [
  ...mainnetRules,
  testMode,
  securityText,
  production,
  delays,
  unitPrices,
  orderPriority,
  following,
  ...nodeRules,
  prices,
  screening,
  keys,
  unusedSettings,
  urlCredentials,
]
