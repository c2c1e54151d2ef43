import { amount, unixSeconds } from '@sotto/protocol'
import { LandingError, type LandingStep } from '@sotto/recovery'
import { address, type Signature } from '@solana/kit'
import { beforeEach, expect, it } from 'vitest'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFailure } from '../explain-failure.ts'
import { openOutput } from '../output/output.ts'
import { checkBeforeAgain } from './check-before-again.ts'
import { landingOf } from './landing.ts'

let written: string[] = []
beforeEach(() => {
  written = []
})
const stream = (isTTY: boolean) => ({ write: (text: string) => written.push(text), isTTY })
const outputOn = (isTTY: boolean) => {
  const stderr = stream(isTTY)
  return openOutput({ table: true }, { stdout: stream(false), stderr, stdin: {} })
}
const NULLIFIER = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const sent = (signature: string) => ({
  ...{ signature: signature as Signature, nullifier: NULLIFIER },
  until: unixSeconds(1_800_000_600n),
})
const step = (kind: LandingStep['kind'], attempt: number): LandingStep => ({
  ...{ kind, attempt, ...sent(`s${attempt}`) },
  priorityFeeLamports: amount(256n * 4n ** BigInt(attempt - 1)),
})

it('shows each settlement with its fee and its end', () => {
  const { onStep } = landingOf({ output: outputOn(false), signal: new AbortController().signal })
  const kinds = ['signed', 'sent_again', 'sent_again', 'dead'] as const
  for (const attempt of [1, 2]) for (const kind of kinds) onStep?.(step(kind, attempt))
  expect(written.join('').trimEnd().split('\n')).toEqual([
    'settlement 1: s1, which offers 256 lamports of priority fee',
    'waiting until the chain confirms settlement 1',
    'waiting until the chain confirms settlement 1, which is sent again every few seconds',
    'the transaction s1 did not land, and it never will',
    'settlement 2: s2, which offers 1024 lamports of priority fee',
    'waiting until the chain confirms settlement 2',
    'waiting until the chain confirms settlement 2, which is sent again every few seconds',
    'the transaction s2 did not land, and it never will',
  ])
})

it('keeps the whole signature on the screen of a terminal', () => {
  const { onStep } = landingOf({ output: outputOn(true), signal: new AbortController().signal })
  const signature = '5'.repeat(88) as Signature
  for (const kind of ['signed', 'sent_again'] as const) onStep?.({ ...step(kind, 1), signature })
  expect(written.find((text) => text.includes(signature))).toMatch(/\n$/)
})

it('writes each signature for a script before its first send, as a line of JSON', () => {
  const output = openOutput(
    { json: true },
    { stdout: stream(false), stderr: stream(false), stdin: {} },
  )
  const { onStep } = landingOf({ output, signal: new AbortController().signal })
  onStep?.(step('signed', 1))
  const settlement = { attempt: 1, signature: 's1', priorityFeeLamports: '256' }
  expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([{ settlement }])
  for (const kind of ['sent_again', 'dead'] as const) onStep?.(step(kind, 1))
  expect(written).toHaveLength(1)
})

it('ends the call at Ctrl-C', () => {
  const { signal } = new AbortController()
  expect(landingOf({ output: outputOn(false), signal }).signal).toBe(signal)
})

it('names the settlement that may still land after Ctrl-C ended the call', () => {
  const error = new LandingError('SETTLEMENT_UNKNOWN', sent('s1'), amount(256n))
  expect(explainFailure(error, true)).toMatchObject({
    ...{ code: 'SETTLEMENT_UNKNOWN', exitCode: EXIT.interrupted },
    message: expect.stringContaining('s1'),
  })
})

it('reports that a payment was sent, even after Ctrl-C', () => {
  const next = 'check whether s1 landed'
  const error = new CliError(5, 'SETTLEMENT_UNKNOWN', 'sent', next, { isSent: true })
  expect(explainFailure(error, true)).toMatchObject({ code: 'SETTLEMENT_UNKNOWN', next })
  const other = new CliError(5, 'OTHER', 'not sent', 'wait')
  expect(explainFailure(other, true)).toMatchObject({ code: 'INTERRUPTED' })
})

it.each([
  ['SETTLEMENT_FAILED', 1, 'nothing is paid twice'],
  ['SETTLEMENT_UNKNOWN', 5, 'nothing is paid twice'],
  ['SETTLEMENT_DEAD', 5, '--max-priority-fee'],
])('%s has its exit code and names the next step', (code, exitCode, next) => {
  const error = Object.assign(new Error('it ended'), { name: 'LandingError', code })
  expect(explainFailure(error, false)).toMatchObject({
    ...{ code, exitCode, message: 'it ended' },
    next: expect.stringContaining(next),
  })
})

it.each([
  ['SETTLEMENT_DEAD', new LandingError('SETTLEMENT_DEAD', sent('s2'), amount(256n))],
  ['SETTLEMENT_UNKNOWN', new LandingError('SETTLEMENT_UNKNOWN', sent('s2'), amount(256n))],
  ['SETTLEMENT_UNKNOWN', new Error('fetch failed')],
])(
  'asks the user to check a payment that was signed with --again before they name it too: %s, %o',
  (code, cause) => {
    const error = checkBeforeAgain(cause)
    for (const isInterrupted of [false, true]) {
      const explained = explainFailure(error, isInterrupted)
      expect(explained.code).toBe(code)
      expect(explained.next).toMatch(
        /^run the same command again.* PAID_BEFORE, .* do not name .* --again/,
      )
    }
  },
)
