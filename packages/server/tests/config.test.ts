import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { settings } from '../src/config/sections.ts'
import { textOf } from '../src/config/setting.ts'
import { BALANCE_SECONDS_MIN } from '../src/domain/balance.ts'
import { showConfig } from '../src/config/show-config.ts'
import { ConfigError, readConfig, resolveConfig } from '../src/config.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}

it('absent settings have their defaults', () => {
  const config = readConfig(LEAST)
  expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DELIVERY_WINDOW_SECONDS: 3_600 })
  expect(config.ROLE).toEqual(['api', 'worker'])
  expect(config.KEYS).toBe('.sotto/keys')
})

it('the default of the greatest delay is at most the delivery window', () => {
  const read = (more: object) => readConfig({ ...LEAST, ...more })
  expect(read({})).toMatchObject({ DELAY_MAX_SECONDS: 1_800 })
  for (const window of [600, 1_200]) {
    const config = read({ SOTTO_DELIVERY_WINDOW_SECONDS: `${window}` })
    expect(config).toMatchObject({ DELAY_MAX_SECONDS: window })
  }
  expect(() => read({ SOTTO_DELAY_MIN_SECONDS: '2000' })).toThrow('SOTTO_DELAY_MIN_SECONDS')
  const given = { SOTTO_DELIVERY_WINDOW_SECONDS: '600', SOTTO_DELAY_MAX_SECONDS: '900' }
  expect(() => read(given)).toThrow('SOTTO_DELAY_MAX_SECONDS')
})

it('an order’s cost limit is refused if it is below the greatest cost of one settlement', () => {
  const read = (more: object) => readConfig({ ...LEAST, ...more })
  expect(read({})).toMatchObject({ ORDER_PRIORITY_MAX: 786_432 })
  expect(() => read({ SOTTO_ORDER_PRIORITY_MAX: '262143' })).toThrow('SOTTO_ORDER_PRIORITY_MAX')
  const lower = { SOTTO_ORDER_PRIORITY_MAX: '65536', SOTTO_UNIT_PRICE_MAX: '262144' }
  expect(read(lower)).toMatchObject({ ORDER_PRIORITY_MAX: 65_536 })
})

it('settings of older versions are accepted', () => {
  const former = { SOTTO_SWAP_SECONDS: '600', SOTTO_PRICE_TOLERANCE_BPS: '1000' }
  expect(readConfig({ ...LEAST, ...former })).toMatchObject({ SWAP_SECONDS: 600 })
})

it('an error lists all missing, wrong and unknown settings', () => {
  const read = () =>
    readConfig({
      SOTTO_RPC_URL: 'ftp://chain',
      SOTTO_CLUSTER: 'localnet',
      SOTTO_DELIVERY_WINDOW_SECONDS: '700',
      SOTTO_PORT: '80.5',
      SOTTO_PROT: '80',
    })
  expect(read).toThrow(ConfigError)
  for (const name of [
    'RPC_URL',
    'PROGRAM_ID is required',
    'DELIVERY_WINDOW_SECONDS',
    'PORT',
    'PROT is no',
  ]) {
    expect(read).toThrow(`SOTTO_${name}`)
  }
})

it('deadlines and delivery windows have limits', () => {
  const read = (name: string, value: string) => readConfig({ ...LEAST, [`SOTTO_${name}`]: value })
  // A deadline is rounded up to the time grid. So 3,000 seconds and 600 seconds of the grid add up to the program's
  // maximum of 3,600.
  expect(read('ORDER_SECONDS', '3000')).toMatchObject({ ORDER_SECONDS: 3_000 })
  expect(() => read('ORDER_SECONDS', '3001')).toThrow('SOTTO_ORDER_SECONDS')
  // The notes of balances last for at least a day. A transfer with a window of a day would count as a balance.
  const longest = read('DELIVERY_WINDOW_SECONDS', '85800')
  expect(longest).toMatchObject({ DELIVERY_WINDOW_SECONDS: 85_800 })
  expect(longest.DELIVERY_WINDOW_SECONDS).toBeLessThan(BALANCE_SECONDS_MIN)
  expect(() => read('DELIVERY_WINDOW_SECONDS', '86400')).toThrow('SOTTO_DELIVERY_WINDOW_SECONDS')
})

it('proxies can be given by address or by network', () => {
  const read = (text: string) => readConfig({ ...LEAST, SOTTO_TRUSTED_PROXIES: text })
  expect(read('127.0.0.1, 10.0.0.0/8,fd00::/8').TRUSTED_PROXIES).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
    'fd00::/8',
  ])
  for (const wrong of ['proxy', '10.0.0.0/0', '10.0.0.0/33', '10.0.0.0/8/8', '::1/129', ',', '1']) {
    expect(() => read(wrong), wrong).toThrow('SOTTO_TRUSTED_PROXIES')
  }
})

it('an error suggests the nearest known name for an unknown name', () => {
  const read = (name: string) => () => readConfig({ ...LEAST, [name]: '1' })
  expect(read('SOTTO_PROT')).toThrow('did you mean SOTTO_PORT?')
  expect(read('SOTTO_DATABSE_URL')).toThrow('did you mean SOTTO_DATABASE_URL?')
  expect(read('SOTTO_VAULT_TOKEN_FIL')).toThrow('did you mean SOTTO_VAULT_TOKEN_FILE?')
  expect(read('SOTTO_QQQQQQQQQQ')).not.toThrow('did you mean')
})

it('an error says which variables belong to the command sotto', () => {
  for (const name of ['SOTTO_URL', 'SOTTO_API_KEY', 'SOTTO_HOME', 'SOTTO_LOCAL_CHAIN']) {
    const read = () => readConfig({ ...LEAST, [name]: 'hunter2' })
    expect(read).toThrow(
      `${name} is not a setting of this service, but a variable of the command sotto; ` +
        `remove it: unset ${name}`,
    )
    expect(read).not.toThrow('hunter2')
  }
})

it('the chain must be read at least twice within the time after which orders are refused', () => {
  const read = (unfollowed: string, poll: string) => () =>
    readConfig({ ...LEAST, SOTTO_UNFOLLOWED_SECONDS: unfollowed, SOTTO_POLL_MS: poll })
  expect(read('30', '10000')).not.toThrow()
  expect(read('120', '60000')).not.toThrow()
  expect(read('30', '60000')).toThrow('SOTTO_POLL_MS must be at most 15000')
  expect(read('119', '60000')).toThrow('SOTTO_POLL_MS must be at most 59500')
})

it('an error gives an example of a valid value and does not repeat the wrong value', () => {
  const read = () => readConfig({ ...LEAST, SOTTO_DATABASE_URL: 'mysql://u:hunter2@db/x' })
  expect(read).toThrow(
    /SOTTO_DATABASE_URL must be a URL .*; for example SOTTO_DATABASE_URL=postgres/,
  )
  expect(read).not.toThrow('hunter2')
})

describe('mainnet', () => {
  const MAINNET = {
    ...LEAST,
    SOTTO_CLUSTER: 'mainnet',
    SOTTO_PROFILE: 'production',
    SOTTO_METRICS_PORT: '9464',
    SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
    SOTTO_ALLOW_FILE_KEYS: 'true',
    SOTTO_PROGRAM_SHA256: 'a'.repeat(64),
    SOTTO_VKEY_SHA256: 'b'.repeat(64),
  }
  const without = (name: keyof typeof MAINNET) => () => readConfig({ ...MAINNET, [name]: '' })

  it('is accepted if all settings are valid', () => {
    expect(readConfig(MAINNET).CLUSTER).toBe('mainnet')
  })

  it('is refused on the embedded database', () => {
    expect(without('SOTTO_DATABASE_URL')).toThrow('SOTTO_DATABASE_URL is required on mainnet')
  })

  it('is refused in the embedded profile', () => {
    expect(without('SOTTO_PROFILE')).toThrow('SOTTO_PROFILE must be production')
  })

  it('is refused with keys in files if file keys are not allowed', () => {
    const strict = { ...MAINNET, SOTTO_ALLOW_FILE_KEYS: 'false' }
    for (const name of ['KEYSTORE', 'AUTHORISER_KEY', 'RELAYER_KEYS']) {
      expect(() => readConfig(strict)).toThrow(`SOTTO_${name} keeps keys of mainnet in files`)
    }
    const vault = {
      ...strict,
      SOTTO_KEYSTORE: 'vault',
      SOTTO_AUTHORISER_KEY: 'vault:authoriser',
      SOTTO_RELAYER_KEYS: 'vault:relayer-1, vault:relayer-2',
      SOTTO_VAULT_URL: 'https://vault.example.com',
      SOTTO_VAULT_TOKEN: 'token',
    }
    expect(readConfig(vault).RELAYER_KEYS).toEqual([
      { kind: 'vault', name: 'relayer-1' },
      { kind: 'vault', name: 'relayer-2' },
    ])
    const mixed = { ...vault, SOTTO_RELAYER_KEYS: 'vault:relayer-1,file:keys/2.json' }
    expect(() => readConfig(mixed)).toThrow('SOTTO_RELAYER_KEYS keeps')
  })

  it('is refused with prices of Jupiter alone', () => {
    expect(() => readConfig({ ...MAINNET, SOTTO_PRICES: 'jupiter' })).toThrow(
      'SOTTO_PRICES is only "jupiter"',
    )
  })

  it('is refused with fixed prices that never expire', () => {
    const fixed = { ...MAINNET, SOTTO_PRICES_FILE: '/etc/sotto/prices.json' }
    expect(() => readConfig(fixed)).toThrow('SOTTO_PRICES_FILE_AGE_SECONDS is required on mainnet')
    const bounded = { ...fixed, SOTTO_PRICES_FILE_AGE_SECONDS: '3600' }
    expect(readConfig(bounded).PRICES_FILE_AGE_SECONDS).toBe(3_600)
  })

  it("is refused with this release's development key", () => {
    const own = { ...MAINNET, SOTTO_PROGRAM_SHA256: '', SOTTO_VKEY_SHA256: '' }
    expect(() => readConfig(own)).toThrow('use a release whose key comes from a ceremony')
    expect(without('SOTTO_VKEY_SHA256')).toThrow('must both be set or both be absent')
  })
})

it('test mode is refused on every cluster except the local cluster', () => {
  const read = (cluster: string) => () =>
    readConfig({ ...LEAST, SOTTO_CLUSTER: cluster, SOTTO_TEST_MODE: 'true' })
  expect(read('localnet')().TEST_MODE).toBe(true)
  expect(readConfig(LEAST).TEST_MODE).toBe(false)
  for (const cluster of ['devnet', 'mainnet']) {
    expect(read(cluster)).toThrow('SOTTO_TEST_MODE is only for the local chain')
  }
})

it('the production profile requires additional settings', () => {
  const read = (more: Record<string, string>) => () =>
    readConfig({ ...LEAST, SOTTO_PROFILE: 'production', ...more })
  expect(read({})).toThrow(/SOTTO_DATABASE_URL is required[^]*SOTTO_METRICS_PORT is required/)
  const rest = {
    SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
    SOTTO_METRICS_PORT: '9464',
    SOTTO_SCREENER: 'http',
  }
  expect(read({ ...rest, SOTTO_SCREENER_URL: 'http://screener' })).toThrow('unencrypted')
  expect(read({ ...rest, SOTTO_SCREENER_URL: 'http://localhost:9' })).not.toThrow()
})

describe('a file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-config-'))
  })
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const TOML = `
    cluster = "localnet"
    rpc_url = "http://127.0.0.1:8899"
    program-id = "${LEAST.SOTTO_PROGRAM_ID}"
    port = 9000
    trusted_proxies = ["10.0.0.0/8", "127.0.0.1"]
    prices = ["pyth"]
    keystore = "vault"
    [pyth]
    feeds = { So11111111111111111111111111111111111111112 = "${'ab'.repeat(32)}" }
    [vault]
    url = "https://vault.test"
    token_file = "TOKEN"
  `

  it('in TOML or JSON gives settings', () => {
    const path = write('sotto.toml', TOML.replace('TOKEN', write('token', 'hvs.secret\n')))
    const { config, sources } = resolveConfig({ SOTTO_CONFIG: path, SOTTO_HOST: '::1' })
    expect(config).toMatchObject({ PORT: 9_000, HOST: '::1', VAULT_TOKEN: 'hvs.secret' })
    expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '127.0.0.1'])
    expect([...(config.PYTH_FEEDS ?? [])]).toEqual([
      ['So11111111111111111111111111111111111111112', 'ab'.repeat(32)],
    ])
    expect(sources).toMatchObject({ PORT: 'file', HOST: 'environment', DATA: 'default' })
    expect(readConfig({ SOTTO_PORT: '1' }, path).PORT).toBe(1)
    const json = write('sotto.json', JSON.stringify({ ...LEAST, cluster: 'localnet' }))
    expect(() => readConfig({}, json)).toThrow('did you mean SOTTO_CLUSTER?')
  })

  it('can contain a secret', () => {
    const read = (path: string, more = {}) =>
      resolveConfig({ ...LEAST, SOTTO_DATABASE_URL_FILE: path, ...more })
    const path = write('url', 'postgres://u:hunter2@db:5432/sotto\n')
    expect(read(path).config.DATABASE_URL).toBe('postgres://u:hunter2@db:5432/sotto')
    const shown = JSON.stringify(showConfig(read(path, { SOTTO_JUPITER_API_KEY: 'hunter3' })))
    expect(shown).toContain('postgres://db:5432/(hidden) (file)')
    expect(shown).not.toMatch(/hunter/)
    expect(() => read(join(folder, 'none'))).toThrow(
      /SOTTO_DATABASE_URL_FILE names a file that can't be read \(ENOENT\)/,
    )
    expect(() => read(write('empty', '\n'))).toThrow('names an empty file')
    expect(() => read(path, { SOTTO_DATABASE_URL: 'postgres://db/x' })).toThrow('both set')
  })

  it('that is malformed is named in the error, with the line', () => {
    const path = write('sotto.toml', 'cluster = "localnet"\nvault_token = "hunter2')
    const read = () => readConfig({}, path)
    expect(read).toThrow(/isn't TOML, line 2/)
    expect(read).not.toThrow('hunter2')
    expect(() => readConfig({}, join(folder, 'none.toml'))).toThrow("can't be read")
    expect(() => readConfig(LEAST, write('float.toml', 'port = 1.5'))).toThrow('PORT')
    expect(() => readConfig(LEAST, write('twice.toml', 'port = 1\nPORT = 2'))).toThrow('twice')
  })
})

it('every setting has a text and a valid example', () => {
  for (const [name, schema] of Object.entries(settings)) {
    const { meaning, example } = textOf(schema)
    expect(meaning, name).not.toMatch(/[.]$/)
    expect(schema.safeParse(example).error, name).toBeUndefined()
  }
})

it('no URL is shown with its credentials, except the URL that browsers see', () => {
  const names = Object.keys(settings).filter((name) => /_URLS?$/.test(name))
  const url = (name: string) => `https://user:hunter2@${name}.example.com/hunter2?key=hunter2`
  const config = Object.fromEntries(names.map((name) => [name, url(name)]))
  const shown = showConfig({ config: config as never, sources: {} })
  const isLeaked = (name: string) => shown[`SOTTO_${name}`]?.includes('hunter2') !== false
  expect(names).toContain('PYTH_URL')
  expect(names.filter(isLeaked)).toEqual(['WEB_RPC_URL'])
})
