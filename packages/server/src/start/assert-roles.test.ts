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
