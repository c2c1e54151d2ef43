import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { saveFacts } from './balance-facts.ts'
import { mindTopUp, quietFrom } from './soon-after-top-up.ts'

const TOPPED_UP_AT = 1_800_000_000n
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-soon-'))
  const known = { isReturned: true, days: 30 }
  await saveFacts(home, 'early', { toppedUpAt: `${TOPPED_UP_AT - 1_800n}`, ...known })
  await saveFacts(home, 'late', { toppedUpAt: `${TOPPED_UP_AT}`, ...known })
})
afterAll(() => rm(home, { recursive: true }))

/** A person who answers, and a chain whose clock moves by `step` seconds with each request. */
function contextAt(clock: bigint, step: bigint, answers: readonly boolean[] = []) {
  let now = clock
  const getAccountInfo = () => ({
    send: async () => {
      const data = Buffer.alloc(40)
      data.writeBigInt64LE(now, 32)
      now += step
      const owner = 'Sysvar1111111111111111111111111111111111111'
      return { context: { slot: 1n }, value: { owner, data: [data.toString('base64'), 'base64'] } }
    },
  })
  const questions: string[] = []
  const notes: string[] = []
  const stream = { write: () => true, isTTY: false }
  const output = {
    ...openOutput({}, { stdout: stream, stderr: stream, stdin: {} }),
    note: (text: string) => void notes.push(text),
    ask: async (question: string) => answers[questions.push(question) - 1] ?? false,
  }
  const rpc = async () => ({ getAccountInfo })
  const signal = new AbortController().signal
  const context = { output, rpc, signal, settings: { home } } as unknown as CliContext
  return { context, questions, notes, clock: () => now }
}

const HOUR = 3_600n

describe('a payment within an hour of its top-up', () => {
  it('is recognised by the newest top-up of the balances that pay', async () => {
    const { context } = contextAt(TOPPED_UP_AT + HOUR - 1n, 0n)
    expect(await quietFrom(context, ['early'])).toBeUndefined()
    expect(await quietFrom(context, ['early', 'late'])).toMatchObject({ at: TOPPED_UP_AT + HOUR })
    const { context: later } = contextAt(TOPPED_UP_AT + HOUR, 0n)
    expect(await quietFrom(later, ['early', 'late', 'restored'])).toBeUndefined()
  })

  it('is made with --yes, after a warning that names what others can guess', async () => {
    const { context, notes, questions } = contextAt(TOPPED_UP_AT, 0n)
    expect(await mindTopUp(context, ['late'], { yes: true })).toBe(true)
    expect(notes.join()).toContain('can guess that both are yours')
    expect(questions).toEqual([])
  })

  it.each([
    ['waits if the person wants to', [true], false, 1],
    ['is made at once if the person insists', [false, true], true, 2],
  ])('%s', async (_name, answers, isSoon, asked) => {
    const { context, questions, clock } = contextAt(TOPPED_UP_AT, HOUR, answers)
    expect(await mindTopUp(context, ['late'], {})).toBe(isSoon)
    expect(questions).toHaveLength(asked)
    expect(clock() > TOPPED_UP_AT + HOUR).toBe(!isSoon)
  })

  it('is not made if the person declines both', async () => {
    const { context } = contextAt(TOPPED_UP_AT, 0n)
    await expect(mindTopUp(context, ['late'], {})).rejects.toMatchObject({
      ...{ code: 'SOON_AFTER_TOP_UP', exitCode: 8 },
      next: expect.stringContaining('--wait') as string,
    })
  })
})
