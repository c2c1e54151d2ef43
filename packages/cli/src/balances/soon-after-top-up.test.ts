import { amount, encodeTicket, NATIVE_MINT, ownerOf, unixSeconds, type Note } from '@sotto/protocol'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { balanceStore } from './balance-files.ts'
import { mindTopUp, quietFrom } from './soon-after-top-up.ts'

/** No real time has to pass, because each request moves the chain's clock. */
const noPause = () => Promise.resolve()

/**
 * An hour after the deadline of the top-up's order, by the chain's clock. Until then, the time of a payment reveals the
 * top-up, because the store doesn't contain the time of the deposit.
 */
const QUIET_FROM = 1_800_000_000n
const HOUR = 3_600n
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-soon-'))
  await saveBalance('early', QUIET_FROM - 2n * HOUR)
  await saveBalance('late', QUIET_FROM - HOUR)
})
/** A balance whose deposit has landed. */
async function saveBalance(name: string, deadline: bigint): Promise<void> {
  const owner = 3n
  const note: Note = {
    ...{ nk: 7n, sender: NATIVE_MINT, mint: NATIVE_MINT, value: amount(5n) },
    claim: { kind: 'balance', owner: ownerOf(owner) },
    ...{ deadline: unixSeconds(deadline), expiry: unixSeconds(deadline + 86_400n) },
  }
  const program = NATIVE_MINT
  const ticket = encodeTicket({ program, orderId: new Uint8Array(16), note, secret: owner })
  const secret = '3'.padStart(64, '0')
  const state = { version: 1, secret, topUp: null, ticket, leafIndex: null, payments: {} }
  await balanceStore(home, name).write(JSON.stringify(state), undefined)
}
afterAll(() => rm(home, { recursive: true }))

/**
 * A context with a person who gives these answers, and with a chain whose clock advances by `step` seconds at each
 * request. Every request to the node whose number is a multiple of `failsOfEach` fails.
 */
function contextAt(
  clock: bigint,
  step: bigint,
  answers: readonly boolean[] = [],
  failsOfEach = Infinity,
) {
  let now = clock
  let asked = 0
  const getAccountInfo = () => ({
    send: async () => {
      asked += 1
      if (asked % failsOfEach === 0) throw new TypeError('fetch failed')
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

describe('a payment whose time points to its top-up', () => {
  it('is recognised by the newest top-up of the paying balances', async () => {
    const { context } = contextAt(QUIET_FROM - 1n, 0n)
    expect(await quietFrom(context, ['early'])).toBeUndefined()
    expect(await quietFrom(context, ['early', 'late'])).toMatchObject({ at: QUIET_FROM })
    const { context: later } = contextAt(QUIET_FROM, 0n)
    expect(await quietFrom(later, ['early', 'late', 'restored'])).toBeUndefined()
  })

  it('is made with --yes after a warning', async () => {
    const { context, notes, questions } = contextAt(QUIET_FROM - HOUR, 0n)
    expect(await mindTopUp(context, ['late'], { yes: true }, noPause)).toBe(true)
    expect(notes.join()).toContain('can guess that both are yours')
    expect(questions).toEqual([])
  })

  it.each([
    ['waits if the person wants to', [true], false, 1],
    ['is made at once if the person insists', [false, true], true, 2],
  ])('%s', async (_name, answers, isSoon, asked) => {
    const { context, questions, clock } = contextAt(QUIET_FROM - 9n * HOUR, 8n * HOUR, answers)
    expect(await mindTopUp(context, ['late'], {}, noPause)).toBe(isSoon)
    expect(questions).toHaveLength(asked)
    expect(clock() > QUIET_FROM + 6n * HOUR).toBe(!isSoon)
  })

  it('is made at a random moment after the wait', async () => {
    const MINUTE = 60n
    const ends = new Set<bigint>()
    for (let run = 0; run < 8; run += 1) {
      const { context, clock } = contextAt(QUIET_FROM - MINUTE, MINUTE)
      await mindTopUp(context, ['late'], { wait: true }, noPause)
      ends.add(clock() - QUIET_FROM)
    }
    expect([...ends].every((late) => late > 0n && late <= 6n * HOUR + 2n * MINUTE)).toBe(true)
    // Eight minutes are drawn at random from 360. In less than one of 10^9 runs, fewer than four of the eight minutes
    // are distinct.
    expect(ends.size).toBeGreaterThanOrEqual(4)
  })

  it('waits for its moment even if the node fails meanwhile', async () => {
    const { context, clock } = contextAt(QUIET_FROM - 60n, 60n, [], 2)
    expect(await mindTopUp(context, ['late'], { wait: true }, noPause)).toBe(false)
    expect(clock() >= QUIET_FROM).toBe(true)
  })

  it('is not made if the person declines both to wait and to pay now', async () => {
    const { context } = contextAt(QUIET_FROM - HOUR, 0n)
    await expect(mindTopUp(context, ['late'], {}, noPause)).rejects.toMatchObject({
      ...{ code: 'SOON_AFTER_TOP_UP', exitCode: 8 },
      next: expect.stringContaining('--wait') as string,
    })
  })
})
