import { expect, it } from 'vitest'
import { runLoop } from '../../packages/server/src/running/loop.ts'
import { hasPromtool, testRules } from './promtool.ts'

const isSkipped = !hasPromtool && process.env['CI'] === undefined
const SCRAPE_MS = 15_000
/** The process works for this long before its loop fails. */
const QUIET_MS = 300_000
const END_MS = 3_600_000

interface Failing {
  /** Milliseconds until the step fails. A node that hangs, for example, fails after 15 seconds. */
  readonly stepMs: number
  /** How long the step fails, in milliseconds. */
  readonly forMs?: number
}

/** Runs a loop of the service whose step fails. Returns the times of the failures. */
async function failuresOf({ stepMs, forMs = END_MS }: Failing): Promise<number[]> {
  let nowMs = QUIET_MS
  const failures: number[] = []
  const stopping = new AbortController()
  const clock = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
      if (nowMs >= END_MS) stopping.abort()
    },
  }
  const failed = () => void failures.push(nowMs)
  const log = { event: () => undefined, alert: () => undefined, failed }
  const options = { name: 'pay' as const, everyMs: 400, clock, log, signal: stopping.signal }
  const loop = runLoop(options, async () => {
    nowMs += stepMs
    if (nowMs < QUIET_MS + forMs) throw new Error('the node does not answer')
  })
  await loop.done
  return failures
}

/** The series of a process whose loop fails, as Prometheus scrapes it. */
async function seriesOf(instance: string, failing: Failing) {
  const failures = await failuresOf(failing)
  const counts = Array.from(
    { length: END_MS / SCRAPE_MS },
    (_, index) => failures.filter((atMs) => atMs <= index * SCRAPE_MS).length,
  )
  return {
    series: `sotto_failures_total{step="pay",instance="${instance}"}`,
    values: counts.join(' '),
  }
}

const FIRED = {
  exp_labels: { severity: 'warning', step: 'pay' },
  exp_annotations: {
    summary: 'Step pay fails repeatedly',
    runbook: 'docs/runbooks/steps-fail.md',
  },
}
const TIMES = ['20m', '30m', '45m', '59m']

async function expectRule(failing: readonly Failing[], fires: boolean): Promise<void> {
  const series = await Promise.all(failing.map((one, index) => seriesOf(`worker-${index}`, one)))
  const rule = { alertname: 'SottoStepsFail', exp_alerts: fires ? [FIRED] : [] }
  await testRules([
    {
      interval: '15s',
      input_series: series,
      alert_rule_test: TIMES.map((at) => ({ eval_time: at, ...rule })),
    },
  ])
}

it('a loop that always fails backs off to half a minute', async () => {
  const failures = await failuresOf({ stepMs: 0 })
  const pauses = failures.slice(1).map((atMs, index) => atMs - (failures[index] ?? 0))
  expect(pauses.slice(0, 7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  expect(Math.max(...pauses)).toBe(30_000)
})

it('SottoStepsFail fires for one worker whose loop always fails at once', { skip: isSkipped }, () =>
  expectRule([{ stepMs: 0 }], true),
)

it('SottoStepsFail fires for one worker whose node hangs', { skip: isSkipped }, () =>
  expectRule([{ stepMs: 15_000 }], true),
)

it(
  'SottoStepsFail stays silent for many workers whose node fails for a minute',
  { skip: isSkipped },
  () => expectRule(Array(10).fill({ stepMs: 0, forMs: 60_000 }), false),
)
