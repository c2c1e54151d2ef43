import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { assertRoles } from './assert-roles.ts'

const LEAST = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
  SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
}

it('a process with both servers on one port does not start', () => {
  const config = readConfig({ ...LEAST, SOTTO_METRICS_PORT: '8080' })
  expect(() => assertRoles(config, ['api'])).toThrow(
    'SOTTO_METRICS_PORT is 8080, the same as SOTTO_PORT',
  )
  expect(() => assertRoles(config, ['worker'])).not.toThrow()
})

it('on mainnet, a process does not get a role whose keys are in files', () => {
  const config = readConfig({
    ...LEAST,
    SOTTO_CLUSTER: 'mainnet',
    SOTTO_PROFILE: 'production',
    SOTTO_METRICS_PORT: '9464',
    SOTTO_PROGRAM_SHA256: 'a'.repeat(64),
    SOTTO_VKEY_SHA256: 'b'.repeat(64),
    SOTTO_KEYSTORE: 'vault',
    SOTTO_VAULT_URL: 'https://vault.example.com',
    SOTTO_VAULT_TOKEN: 'token',
    SOTTO_ROLE: 'api',
    SOTTO_AUTHORISER_KEY: 'vault:authoriser',
  })
  expect(() => assertRoles(config, ['api'])).not.toThrow()
  expect(() => assertRoles(config, ['worker'])).toThrow(
    'SOTTO_RELAYER_KEYS keeps keys of mainnet in files',
  )
})
