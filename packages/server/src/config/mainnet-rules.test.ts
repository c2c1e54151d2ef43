import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const VAULT = {
  SOTTO_RPC_URL: 'https://rpc.example.com',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'mainnet',
  SOTTO_PROFILE: 'production',
  SOTTO_METRICS_PORT: '9464',
  SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
  SOTTO_PROGRAM_SHA256: 'a'.repeat(64),
  SOTTO_VKEY_SHA256: 'b'.repeat(64),
  SOTTO_KEYSTORE: 'vault',
  SOTTO_VAULT_URL: 'https://vault.example.com',
  SOTTO_VAULT_TOKEN: 'token',
}

it('a process on mainnet needs only the keys of its own roles', () => {
  const api = { ...VAULT, SOTTO_ROLE: 'api', SOTTO_AUTHORISER_KEY: 'vault:authoriser' }
  const worker = { ...VAULT, SOTTO_ROLE: 'worker', SOTTO_RELAYER_KEYS: 'vault:relayer-1' }
  expect(readConfig(api).ROLE).toEqual(['api'])
  expect(readConfig(worker).ROLE).toEqual(['worker'])
  expect(() => readConfig({ ...api, SOTTO_ROLE: 'worker' })).toThrow('SOTTO_RELAYER_KEYS keeps')
  expect(() => readConfig({ ...worker, SOTTO_ROLE: 'api' })).toThrow('SOTTO_AUTHORISER_KEY keeps')
  expect(() => readConfig({ ...api, SOTTO_ROLE: '' })).toThrow('SOTTO_RELAYER_KEYS keeps')
})
