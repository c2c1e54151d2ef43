import { amount } from '@sotto/protocol'
import type { LandingStep } from '@sotto/recovery'
import type { Signature } from '@solana/kit'
import { expect, it } from 'vitest'
import { CliError } from '../cli-error.ts'
import { explainFailure } from '../explain-failure.ts'
import type { Output } from '../output/output.ts'
import { progressOn } from '../output/progress.ts'
import { landingOf } from './landing.ts'

const written: string[] = []
const stream = { write: (text: string) => written.push(text) }
const output = { progress: progressOn(stream, false) } as unknown as Output
const step = (kind: LandingStep['kind'], attempt: number): LandingStep => ({
  ...{ kind, attempt, signature: `s${attempt}` as Signature },
  priorityFeeLamports: amount(256n * 4n ** BigInt(attempt - 1)),
})

it('each settlement, its fee and its end are shown, and a repeated send only once', () => {
  const { onStep } = landingOf({ output, signal: new AbortController().signal })
  const kinds = ['sent', 'sent_again', 'sent_again', 'dead'] as const
  for (const attempt of [1, 2]) for (const kind of kinds) onStep?.(step(kind, attempt))
  expect(written.join('').trimEnd().split('\n')).toEqual([
    'waiting until the chain confirms s1, which offers 256 lamports of priority fee',
    'waiting until the chain confirms s1, which offers 256 lamports of priority fee, and is sent again every few seconds',
    's1 did not land, and it never will: nothing was paid yet',
    'settlement 2; waiting until the chain confirms s2, which offers 1024 lamports of priority fee',
    'settlement 2; waiting until the chain confirms s2, which offers 1024 lamports of priority fee, and is sent again every few seconds',
    's2 did not land, and it never will: nothing was paid yet',
  ])
})

it('Ctrl-C ends the wait', async () => {
  const stopping = new AbortController()
  const { sleep } = landingOf({ output, signal: stopping.signal })
  stopping.abort()
  await expect(sleep?.(60_000)).rejects.toThrow('abort')
})

it('Ctrl-C does not hide that a payment was sent', () => {
  const next = 'check whether s1 landed'
  const error = new CliError(5, 'SETTLEMENT_UNKNOWN', 'sent', next, { isSent: true })
  expect(explainFailure(error, true)).toMatchObject({ code: 'SETTLEMENT_UNKNOWN', next })
  const other = new CliError(5, 'OTHER', 'not sent', 'wait')
  expect(explainFailure(other, true)).toMatchObject({ code: 'INTERRUPTED' })
})

it.each([
  ['SETTLEMENT_FAILED', 1, 'recover show'],
  ['SETTLEMENT_UNKNOWN', 5, 'nothing is paid twice'],
  ['SETTLEMENT_DEAD', 5, '--max-priority-fee'],
])('%s has its exit code and names the next step', (code, exitCode, next) => {
  const error = Object.assign(new Error('it ended'), { name: 'LandingError', code })
  expect(explainFailure(error, false)).toMatchObject({
    ...{ code, exitCode, message: 'it ended' },
    next: expect.stringContaining(next),
  })
})
