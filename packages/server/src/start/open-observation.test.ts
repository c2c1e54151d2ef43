import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { openObservation } from './open-observation.ts'

const LEAST = {
  SOTTO_CLUSTER: 'localnet',
  SOTTO_RPC_URL: 'http://127.0.0.1:8899',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_LOG_LEVEL: 'silent',
}

const shown = async (more: object) => {
  const { registry } = await openObservation(readConfig({ ...LEAST, ...more }), ['api'])
  return registry.getSingleMetricAsString('sotto_build_info')
}

it('the metrics show which screeners and price sources are in use', async () => {
  expect(await shown({})).toMatch(/prices="none",screeners="none"/)
  const screened = {
    SOTTO_SCREENER: 'http,deny-list',
    SOTTO_SCREENER_URL: 'https://screener.test/hunter2',
    SOTTO_DENY_LIST_FILE: '/etc/denied.txt',
    SOTTO_PRICES: 'jupiter',
  }
  const text = await shown(screened)
  expect(text).toMatch(/prices="jupiter",screeners="deny-list,http"/)
  expect(text).not.toMatch(/hunter2|denied/)
})
