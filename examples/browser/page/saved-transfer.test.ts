import type { TransferState } from '@sotto/sdk/wallet'
import { beforeEach, expect, it, vi } from 'vitest'
import { dropUnsigned, readTransfer, saveTransfer } from './saved-transfer.ts'

const stateOf = (transferId: string, step: TransferState['step']) =>
  ({ transferId, step, order: { trackingId: `tr_${transferId}` } }) as unknown as TransferState

const doneOf = (transferId: string) =>
  ({ step: 'done', result: { trackingId: `tr_${transferId}` } }) as unknown as TransferState

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  return () => vi.unstubAllGlobals()
})

it.each(['signing', 'submitting', 'refreshing', 'unwinding', 'deposited'] as const)(
  'the page forgets no transfer that may be paid: %s',
  async (step) => {
    const first = stateOf('first', step)
    await saveTransfer(first)
    dropUnsigned(first)
    expect(readTransfer()).toEqual(first)
    const second = stateOf('second', 'asked')
    await expect(saveTransfer(second)).rejects.toThrow('another transfer is unfinished')
    dropUnsigned(second)
    expect(readTransfer()).toEqual(first)
  },
)

it('the page deletes a transfer that was not signed, but not that of another tab', async () => {
  const first = stateOf('first', 'ordered')
  await saveTransfer(first)
  dropUnsigned(stateOf('second', 'asked'))
  expect(readTransfer()).toEqual(first)
  dropUnsigned(first)
  expect(readTransfer()).toBeUndefined()
})

it('the page saves each step of a transfer, and removes it at its end', async () => {
  await saveTransfer(stateOf('first', 'signing'))
  await saveTransfer(stateOf('first', 'deposited'))
  expect(readTransfer()).toMatchObject({ step: 'deposited' })
  await saveTransfer(doneOf('first'))
  expect(readTransfer()).toBeUndefined()
})

it('the end of a transfer in another tab does not delete the transfer that followed it', async () => {
  await saveTransfer(stateOf('first', 'deposited'))
  await saveTransfer(doneOf('first'))
  const second = stateOf('second', 'submitting')
  await saveTransfer(second)
  // The other tab has followed the first transfer too.
  await saveTransfer(doneOf('first'))
  expect(readTransfer()).toEqual(second)
})
