import { Command } from 'commander'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { servedSettingsOf, settingsOf } from './build-program.ts'

const SHARED = {
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
  SOTTO_AWS_REGION: 'eu-central-1',
  SOTTO_AWS_CREDENTIALS_URL: 'http://169.254.170.23/v1/credentials',
}
beforeEach(() => {
  for (const [name, value] of Object.entries(SHARED)) vi.stubEnv(name, value)
})
afterEach(() => vi.unstubAllEnvs())

const UNUSED = 'SOTTO_AWS_REGION is set, but no signing key is in AWS KMS'

it('a command such as migrate accepts the settings of a key service that the service uses', () => {
  expect(settingsOf(new Command())).not.toThrow()
})

it('a service of both roles refuses settings of a key service that it does not use', () => {
  const read = servedSettingsOf(new Command())
  expect(() => read()).toThrow(UNUSED)
  expect(() => read(['api', 'worker'])).toThrow(UNUSED)
  expect(() => read(['api'])).not.toThrow()
})
