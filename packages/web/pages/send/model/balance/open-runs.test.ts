import { expect, it } from 'vitest'
import type { BalancePhase } from './balance-phase.ts'
import type { BalanceRun } from './balance-run.ts'
import { OpenRuns } from './open-runs.ts'

const READY = { kind: 'ready' } as BalancePhase
const WAITING = { kind: 'waiting' } as BalancePhase
const PAYING = { kind: 'paying' } as BalancePhase
const PAID = { kind: 'paid' } as BalancePhase

/** Runs that do nothing by themselves, and the phases that the page has shown. */
function openRuns() {
  const closed: string[] = []
  const opened: string[] = []
  const shown: BalancePhase['kind'][] = []
  const noted: (BalancePhase['kind'] | undefined)[] = []
  const changes = new Map<string, (phase: BalancePhase) => void>()
  const runs: OpenRuns = new OpenRuns(
    (name, changed) => {
      changes.set(name, changed)
      const open = async () => void opened.push(name)
      return { name, open, close: () => void closed.push(name) } as unknown as BalanceRun
    },
    ({ kind }) => shown.push(kind),
    () => noted.push(runs.busyIn('one')),
  )
  const turn = (name: string, phase: BalancePhase) => changes.get(name)?.(phase)
  return { runs, turn, closed, opened, shown, noted }
}

it.each([WAITING, PAYING, { kind: 'repriced' } as BalancePhase])(
  'keeps a payment that is $kind if the person opens another balance',
  (phase) => {
    const { runs, turn, closed } = openRuns()
    runs.open('one')
    turn('one', phase)
    runs.open('two')
    expect(closed).toEqual([])
  },
)

it('keeps a waiting payment if the person goes to another view', () => {
  const { runs, turn, closed, opened, shown } = openRuns()
  const run = runs.open('one')
  turn('one', WAITING)
  runs.leave()
  expect(runs.open('one')).toBe(run)
  expect([closed, opened, shown]).toEqual([[], ['one'], ['opening', 'waiting', 'waiting']])
})

it('shows the result of a payment that was made while another balance was open', () => {
  const { runs, turn, shown } = openRuns()
  runs.open('one')
  turn('one', WAITING)
  runs.open('two')
  turn('two', READY)
  turn('one', PAID)
  expect(shown.at(-1)).toBe('ready')
  runs.open('one')
  expect(shown.at(-1)).toBe('paid')
})

it('closes a balance without a payment if the person leaves it', () => {
  const { runs, turn, closed } = openRuns()
  runs.open('one')
  turn('one', READY)
  runs.open('two')
  turn('two', READY)
  runs.leave()
  expect(closed).toEqual(['one', 'two'])
})

it('names a payment in progress to the list of balances until it ends', () => {
  const { runs, turn, noted } = openRuns()
  runs.open('one')
  turn('one', WAITING)
  runs.leave()
  expect([runs.busyIn('one'), runs.busyIn('two')]).toEqual(['waiting', undefined])
  turn('one', PAYING)
  turn('one', PAID)
  expect(noted).toEqual(['paying', undefined])
})
