import { expect, it } from 'vitest'
import { readConfig, resolveConfig, type Role } from '../config.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}
const SOL = 'So11111111111111111111111111111111111111112'
const read =
  (more: Record<string, string> = {}) =>
  () =>
    readConfig({ ...LEAST, ...more })

const VAULT_KEYS = {
  SOTTO_AUTHORISER_KEY: 'vault:authoriser',
  SOTTO_VAULT_URL: 'https://vault.test',
  SOTTO_VAULT_TOKEN: 'token',
}
const KMS_KEYS = {
  SOTTO_RELAYER_KEYS: 'aws-kms:relayer',
  SOTTO_AWS_REGION: 'eu-central-1',
  SOTTO_AWS_CREDENTIALS_URL: 'http://169.254.170.23/v1/credentials',
}

/**
 * For each setting: its name, a value, other settings with which it is unused, and other settings with which it is
 * used.
 */
const CASES: readonly (readonly [string, string, object, object])[] = [
  ['SCREENER_URL', 'https://a.test', {}, { SOTTO_SCREENER: 'http' }],
  ...['SCREENER_API_KEY', 'SCREENER_TIMEOUT_MS', 'SCREENER_SPREAD_MS', 'SCREENER_KEPT_SECONDS'].map(
    (name) =>
      [
        name,
        '1000',
        { SOTTO_DENY_LIST_FILE: '/etc/denied' },
        { SOTTO_SCREENER: 'http', SOTTO_SCREENER_URL: 'https://a.test' },
      ] as const,
  ),
  ['PYTH_FEEDS', `${SOL}=${'ab'.repeat(32)}`, {}, { SOTTO_PRICES: 'pyth' }],
  ...['PYTH_API_KEY', 'PYTH_CONFIDENCE_BPS'].map(
    (name) =>
      [
        name,
        '50',
        { SOTTO_PRICES: 'jupiter' },
        { SOTTO_PRICES: 'pyth', SOTTO_PYTH_FEEDS: `${SOL}=${'ab'.repeat(32)}` },
      ] as const,
  ),
  ['JUPITER_IMPACT_BPS', '50', {}, { SOTTO_PRICES: 'jupiter' }],
  ['PRICES_FILE_AGE_SECONDS', '60', {}, { SOTTO_PRICES_FILE: '/etc/prices.json' }],
  ['VAULT_NAMESPACE', 'admin', {}, VAULT_KEYS],
  [
    'VAULT_TRANSIT',
    'other',
    { ...VAULT_KEYS, SOTTO_AUTHORISER_KEY: '', SOTTO_KEYSTORE: 'vault' },
    VAULT_KEYS,
  ],
  ['VAULT_KV_PATH', 'other', VAULT_KEYS, { ...VAULT_KEYS, SOTTO_KEYSTORE: 'vault' }],
  ['AWS_KMS_URL', 'https://kms.test', {}, KMS_KEYS],
  [
    'AWS_CREDENTIALS_TOKEN',
    'token',
    {
      ...KMS_KEYS,
      SOTTO_AWS_CREDENTIALS_URL: '',
      SOTTO_AWS_ACCESS_KEY_ID: 'id',
      SOTTO_AWS_SECRET_ACCESS_KEY: 'key',
    },
    KMS_KEYS,
  ],
  [
    'AWS_SECRET_ACCESS_KEY',
    'key',
    KMS_KEYS,
    { ...KMS_KEYS, SOTTO_AWS_CREDENTIALS_URL: '', SOTTO_AWS_ACCESS_KEY_ID: 'id' },
  ],
  ['TRACING_AUTHORIZATION', 'Bearer a', {}, { SOTTO_TRACING_URL: 'https://a.test' }],
  ['TRACING_PERCENT', '10', {}, { SOTTO_TRACING_URL: 'https://a.test' }],
  ['VKEY_SHA256', 'b'.repeat(64), {}, { SOTTO_PROGRAM_SHA256: 'a'.repeat(64) }],
]

it.each(CASES)('SOTTO_%s is refused if no other setting uses it', (name, value, off, on) => {
  const given = { [`SOTTO_${name}`]: value }
  expect(read({ ...off })).not.toThrow()
  expect(read({ ...off, ...given })).toThrow(`SOTTO_${name} is set, but`)
  expect(read({ ...on, ...given })).not.toThrow()
})

it('an error about an unused setting says what would use it', () => {
  expect(read({ SOTTO_SCREENER_URL: 'https://a.test' })).toThrow(
    'SOTTO_SCREENER_URL is set, but SOTTO_SCREENER does not contain "http"; ' +
      'add "http" to SOTTO_SCREENER, or remove this setting',
  )
  expect(read({ SOTTO_PYTH_API_KEY: 'key', SOTTO_PRICES: 'none' })).toThrow(
    'SOTTO_PYTH_API_KEY is set, but SOTTO_PRICES does not contain "pyth"',
  )
})

it('a setting is not reported as unused while the setting that would use it is invalid', () => {
  const wrong = read({ SOTTO_SCREENER: 'htp', SOTTO_SCREENER_URL: 'https://a.test' })
  expect(wrong).toThrow('SOTTO_SCREENER must be')
  expect(wrong).not.toThrow('SOTTO_SCREENER_URL')
})

it('settings of a key service may be shared with a process that has other keys', () => {
  const { SOTTO_RELAYER_KEYS: _, ...shared } = KMS_KEYS
  expect(read(shared)).toThrow('SOTTO_AWS_REGION is set, but no signing key is in AWS KMS')
  expect(read({ ...shared, ...VAULT_KEYS })).not.toThrow()
})

/** Settings of both key services, which the keys of another process use. */
const { SOTTO_AUTHORISER_KEY: _vault, ...VAULT } = VAULT_KEYS
const { SOTTO_RELAYER_KEYS: _kms, ...KMS } = KMS_KEYS
const SHARED = { ...VAULT, ...KMS, SOTTO_VAULT_NAMESPACE: 'admin', SOTTO_VAULT_TRANSIT: 'other' }

it.each(['api', 'worker'])(
  'a process of the role %s may have settings of a key service even if it names no key',
  (role) => {
    expect(read({ ...SHARED, SOTTO_ROLE: role })).not.toThrow()
    expect(read({ ...SHARED, SOTTO_ROLE: 'api,worker' })).toThrow('SOTTO_VAULT_URL is set, but')
  },
)

it('settings of a key service are refused only in a process of both roles', () => {
  const of = (roles: readonly Role[], more: object) => () =>
    resolveConfig({ ...LEAST, ...SHARED, ...more }, undefined, roles)
  for (const more of [{}, { SOTTO_KEYSTORE: 'vault' }]) {
    expect(of(['api', 'worker'], { ...more, SOTTO_ROLE: 'api' })).toThrow('SOTTO_AWS_REGION is set')
    expect(of(['api'], more)).not.toThrow()
    // A command such as `migrate` has no role.
    expect(of([], more)).not.toThrow()
  }
  expect(of([], { SOTTO_SCREENER_URL: 'https://a.test' })).toThrow('SOTTO_SCREENER_URL is set, but')
})

it('Jupiter’s URL and key are accepted without its prices, because rebalancing uses them', () => {
  const more = { SOTTO_JUPITER_URL: 'https://jupiter.test', SOTTO_JUPITER_API_KEY: 'key' }
  expect(read(more)).not.toThrow()
})
