import type { TransferState } from '@sotto/sdk/wallet'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  contextIn,
  failureOf,
  isoOf,
  keepIn,
  NAMED,
  OPTIONS,
  QUOTED,
  REQUEST,
  unreachable,
  type Scene,
} from '../../tests/test-transfer.ts'
import { listStates } from '../transfers/state-file.ts'
import { runResume, runTransfer } from './transfer.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-resumed-'))
})
afterEach(() => rm(home, { recursive: true }))

const contextOf = (scene: Scene) => contextIn(home, scene)
const keep = (state: TransferState) => keepIn(home, state)

/** A quote that an interrupted command has accepted. */
const ACCEPTED = {
  ...{ step: 'quoted', transferId: 'id', request: REQUEST, answer: {}, senderMustHold: {} },
  quote: { ...QUOTED.quote, fee: '1', expiresAt: isoOf(4_000_000_000n) },
} as unknown as TransferState

it('leaves nothing to resume if the order of a resumed transfer is refused', async () => {
  await keep(ACCEPTED)
  const createOrder = async () => ({ trackingId: 'not an id' })
  const { context } = contextOf({ client: { createOrder } })
  const failure = await failureOf(runResume(context, '1', OPTIONS))
  expect(failure).toMatchObject({ code: 'ORDER_REFUSED', exitCode: 6 })
  expect(failure.next).toContain('nothing was signed')
  expect(failure.next).not.toContain('--resume')
  expect(await listStates(home)).toEqual([])
})

it('keeps a resumed transfer without a signature if the service does not answer', async () => {
  await keep(ACCEPTED)
  const { context } = contextOf({ client: { createOrder: unreachable } })
  expect(await failureOf(runResume(context, '1', OPTIONS))).toMatchObject({ exitCode: 11 })
  expect(await listStates(home)).toEqual(['1'])
})

describe('--max-fee', () => {
  const dearer = async () => ({ quote: { ...QUOTED.quote, fee: '2000001' } })

  it('still limits the fee after the transfer was resumed without it', async () => {
    const interruption = new AbortController()
    const createOrder = async () => {
      interruption.abort()
      return unreachable()
    }
    const quote = async () => ({
      ...{ quote: { ...QUOTED.quote, fee: '2000000', expiresAt: isoOf(1n) } },
    })
    const { signal } = interruption
    const first = contextOf({ client: { quote, createOrder }, signal }).context
    await expect(runTransfer(first, NAMED, { ...OPTIONS, maxFee: '0.002' })).rejects.toThrow()
    expect(await listStates(home)).toEqual(['1'])
    const createLater = () => expect.fail('an order was made')
    const { context } = contextOf({ client: { quote: dearer, createOrder: createLater } })
    const failure = await failureOf(runResume(context, '1', OPTIONS))
    expect(failure).toMatchObject({ code: 'DECLINED', exitCode: 8 })
  })

  it('may be lower when the transfer is resumed', async () => {
    await keep({ ...ACCEPTED, request: { ...REQUEST, maxFee: '3000000' } } as TransferState)
    const { context } = contextOf({ client: { quote: dearer } })
    const stricter = runResume(context, '1', { ...OPTIONS, maxFee: '0' })
    expect(await failureOf(stricter)).toMatchObject({ code: 'DECLINED', exitCode: 8 })
  })
})
