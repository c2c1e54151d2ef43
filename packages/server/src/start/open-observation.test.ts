import { totalmem } from 'node:os'
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

it('a worker may use the memory that its provers leave', async () => {
  const allowed = async (role: 'api' | 'worker') => {
    const config = readConfig({ ...LEAST, SOTTO_PROVER_PROCESSES: '2' })
    const { registry } = await openObservation(config, [role])
    const [value] =
      (await registry.getSingleMetric('sotto_memory_allowed_bytes')?.get())?.values ?? []
    return value?.value ?? 0
  }
  const [api, worker] = [await allowed('api'), await allowed('worker')]
  expect(api).toBeGreaterThan(0)
  expect(api).toBeLessThanOrEqual(totalmem())
  expect(api - worker).toBe(400_000_000)
})
