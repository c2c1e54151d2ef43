import { expect, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}

it('fills in every default', () => {
  const config = readConfig(LEAST)
  expect(config).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DELIVERY_WINDOW_SECONDS: 3_600 })
  expect(config.ROLE).toEqual(['api', 'worker'])
  expect(config.KEYS).toBe('.sotto/keys')
})

it('lists all mistakes at once, missing, wrong and unknown ones', () => {
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

it('takes proxies by address or network, and nothing that is everybody', () => {
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

it('refuses mainnet on the embedded database', () => {
  expect(() => readConfig({ ...LEAST, SOTTO_CLUSTER: 'mainnet' })).toThrow('SOTTO_DATABASE_URL')
})
