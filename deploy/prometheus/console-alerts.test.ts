import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALERT_CODES } from '../../packages/server/src/domain/log-names.ts'
import { ALERTS, meaningOf } from '../../packages/web/pages/console/model/alerts.ts'

const RULES = readFileSync(new URL('./alerts.yaml', import.meta.url), 'utf8')

it('the console knows every alert, and shows the critical alerts as severe', () => {
  expect(Object.keys(ALERTS).sort()).toEqual([...ALERT_CODES].sort())
  const [, critical = ''] =
    /code=~"([a-z_|]+)"\}\[10m\]\)\) > 0\s+labels: \{ severity: critical/.exec(RULES) ?? []
  const grave = ALERT_CODES.filter((code) => meaningOf(code).level === 'bad')
  expect([...grave].sort()).toEqual(critical.split('|').sort())
  expect(meaningOf('of_a_later_version').level).toBe('bad')
})
