import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}
const SOL_FEED = `So11111111111111111111111111111111111111112=${'ab'.repeat(32)}`
const read =
  (more: Record<string, string> = {}) =>
  () =>
    readConfig({ ...LEAST, ...more })

const KMS_KEYS = {
  SOTTO_RELAYER_KEYS: 'aws-kms:relayer',
  SOTTO_AWS_REGION: 'eu-central-1',
  SOTTO_AWS_CREDENTIALS_URL: 'http://169.254.170.23/v1/credentials',
}
const PYTH = { SOTTO_PRICES: 'pyth', SOTTO_PYTH_FEEDS: SOL_FEED }

it('a user and a password in a URL are accepted where they can be sent', () => {
  const secured = 'https://user:p%40ss@a.test'
  for (const more of [
    { SOTTO_RPC_URL: secured, SOTTO_RPC_URLS: 'https://u:p@b.test', SOTTO_LEAVES_URLS: secured },
    { SOTTO_KEYSTORE: 'vault', SOTTO_VAULT_URL: secured, SOTTO_VAULT_TOKEN: 'token' },
    { ...PYTH, SOTTO_PYTH_URL: secured },
    { SOTTO_JUPITER_URL: secured, SOTTO_JUPITER_API_KEY: 'key' },
    { SOTTO_SCREENER: 'http', SOTTO_SCREENER_URL: secured, SOTTO_SCREENER_API_KEY: 'key' },
    { SOTTO_TRACING_URL: secured },
    { ...KMS_KEYS, SOTTO_AWS_CREDENTIALS_URL: secured },
  ]) {
    expect(read(more), JSON.stringify(more)).not.toThrow()
  }
})

it('a user and a password are refused if another Authorization header would replace them', () => {
  const secured = 'https://user:hunter2@a.test'
  const refused: readonly [string, object][] = [
    ['PYTH_URL', { ...PYTH, SOTTO_PYTH_URL: secured, SOTTO_PYTH_API_KEY: 'key' }],
    ['TRACING_URL', { SOTTO_TRACING_URL: secured, SOTTO_TRACING_AUTHORIZATION: 'Bearer a' }],
    ['AWS_KMS_URL', { ...KMS_KEYS, SOTTO_AWS_KMS_URL: secured }],
    [
      'AWS_CREDENTIALS_URL',
      {
        ...KMS_KEYS,
        SOTTO_AWS_CREDENTIALS_URL: secured,
        SOTTO_AWS_CREDENTIALS_TOKEN: 'token',
      },
    ],
  ]
  for (const [name, more] of refused) {
    expect(read({ ...more }), name).toThrow(`SOTTO_${name} contains a user or a password`)
    expect(read({ ...more }), name).not.toThrow('hunter2')
  }
})

it('the URL that browsers see must not contain a user or a password', () => {
  const more = { SOTTO_WEB_API_KEY: 'key', SOTTO_WEB_RPC_URL: 'https://user:hunter2@a.test' }
  expect(read(more)).toThrow('SOTTO_WEB_RPC_URL contains a user or a password')
})

it('a password that can not be decoded is refused', () => {
  const more = { SOTTO_RPC_URL: 'https://user:hunter%zz@a.test' }
  expect(read(more)).toThrow('SOTTO_RPC_URL has a % in its user or password')
  expect(read(more)).not.toThrow('hunter')
})

it('a bare % in the password of the database is accepted, because it is sent as it is', () => {
  const url = 'postgres://user:100%!x@127.0.0.1/sotto'
  expect(read({ SOTTO_DATABASE_URL: url })().DATABASE_URL).toBe(url)
})

it('in production, credentials in a URL of another machine need https', () => {
  const production = {
    SOTTO_PROFILE: 'production',
    SOTTO_METRICS_PORT: '9464',
    SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
  }
  for (const [name, more] of [
    ['PYTH_URL', PYTH],
    ['JUPITER_URL', {}],
    ['TRACING_URL', {}],
    ['LEAVES_URLS', {}],
  ] as const) {
    const given = (url: string) => read({ ...production, ...more, [`SOTTO_${name}`]: url })
    expect(given('http://a.test'), name).not.toThrow()
    expect(given('http://user:pass@127.0.0.1'), name).not.toThrow()
    expect(given('https://user:pass@a.test'), name).not.toThrow()
    expect(given('http://user:pass@a.test'), name).toThrow(`SOTTO_${name} would carry secrets`)
  }
})
