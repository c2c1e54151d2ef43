import { expect, it } from 'vitest'
import { listenOn } from '../../packages/server/src/adapters/store/listen.ts'
import type { StepName } from '../../packages/server/src/domain/log-names.ts'
import { runLoop } from '../../packages/server/src/running/loop.ts'
import { hasPromtool, testRules } from './promtool.ts'

const isSkipped = !hasPromtool && process.env['CI'] === undefined
const SCRAPE_MS = 15_000
/** The process works for this long before its loop or its listener fails. */
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

/** Runs a listener that can't reach its database for `forMs` milliseconds. Returns the times of the failures. */
async function failuresOfListener(forMs: number): Promise<number[]> {
  let nowMs = QUIET_MS
  const failures: number[] = []
  await new Promise<void>((resolve) => {
    const sleep = async (ms: number) => {
      nowMs += ms
      if (nowMs < QUIET_MS + forMs) return
      // `close` also waits for this pause, so nothing may wait here for `close`.
      resolve(listener.close())
    }
    const clock = { nowMs: () => nowMs, sleep }
    const heard = { hear: () => undefined, connected: () => undefined }
    const failed = () => void failures.push(nowMs)
    const listener = listenOn('postgres://127.0.0.1:9/sotto', 'hints', heard, { clock, failed })
  })
  return failures
}

/** The series of a process whose step fails, as Prometheus scrapes it. */
function seriesOf(step: StepName, instance: string, failures: readonly number[]) {
  const counts = Array.from(
    { length: END_MS / SCRAPE_MS },
    (_, index) => failures.filter((atMs) => atMs <= index * SCRAPE_MS).length,
  )
  return {
    series: `sotto_failures_total{step="${step}",instance="${instance}"}`,
    values: counts.join(' '),
  }
}

const fired = (step: StepName) => ({
  exp_labels: { severity: 'warning', step },
  exp_annotations: {
    summary: `Step ${step} fails repeatedly`,
    runbook: 'docs/runbooks/steps-fail.md',
  },
})
const TIMES = ['20m', '30m', '45m', '59m']

async function expectRule(failing: readonly Failing[], fires: boolean): Promise<void> {
  const failures = await Promise.all(failing.map(failuresOf))
  await expectOfSeries('pay', failures, fires)
}

async function expectOfSeries(
  step: StepName,
  failures: readonly (readonly number[])[],
  fires: boolean,
  times: readonly string[] = TIMES,
): Promise<void> {
  const rule = { alertname: 'SottoStepsFail', exp_alerts: fires ? [fired(step)] : [] }
  await testRules([
    {
      interval: '15s',
      input_series: failures.map((one, index) => seriesOf(step, `process-${index}`, one)),
      alert_rule_test: times.map((at) => ({ eval_time: at, ...rule })),
    },
  ])
}

it('a loop that always fails waits longer after each failure, up to half a minute', async () => {
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

it('a listener that finds no database waits longer after each failure, up to half a minute', async () => {
  const failures = await failuresOfListener(300_000)
  const pauses = failures.slice(1).map((atMs, index) => atMs - (failures[index] ?? 0))
  expect(pauses.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  expect(Math.max(...pauses)).toBe(30_000)
})

it(
  'SottoStepsFail stays silent for a listener whose database restarts in eleven seconds',
  { skip: isSkipped },
  async () => expectOfSeries('status-hints', [await failuresOfListener(11_000)], false, ['13m']),
)

it(
  'SottoStepsFail fires for a listener that finds no database for a long time',
  { skip: isSkipped },
  async () => expectOfSeries('deposit-hints', [await failuresOfListener(END_MS)], true),
)
