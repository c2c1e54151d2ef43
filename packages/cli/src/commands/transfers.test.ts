import type { TransferState } from '@sotto/sdk/wallet'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { createState, listStates } from '../transfers/state-file.ts'
import { runTransfersDrop } from './transfers.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-transfers-'))
})
afterEach(() => rm(home, { recursive: true }))

const shown: object[] = []
const context = () => {
  shown.length = 0
  const output = { result: (value: object) => void shown.push(value) }
  return { settings: { home }, output } as unknown as CliContext
}

async function keep(step: TransferState['step']): Promise<void> {
  const file = await createState(home, { step } as TransferState)
  file.release()
}

it.each(['asked', 'quoted', 'ordered'] as const)(
  'drops a transfer at the step %s, because nothing was signed for it',
  async (step) => {
    await keep(step)
    await runTransfersDrop(context(), '1')
    expect(shown).toEqual([{ kind: 'dropped', name: '1', step }])
    expect(await listStates(home)).toEqual([])
  },
)

it.each(['signing', 'submitting', 'refreshing', 'unwinding', 'deposited', 'done'] as const)(
  'keeps a transfer at the step %s, because it may be paid',
  async (step) => {
    await keep(step)
    await expect(runTransfersDrop(context(), '1')).rejects.toMatchObject({
      ...{ code: 'TRANSFER_MAY_BE_PAID', exitCode: 11 },
      next: 'continue it with: sotto send --resume 1',
    })
    expect(await listStates(home)).toEqual(['1'])
    // The command has released the transfer, so it can be continued.
    await expect(runTransfersDrop(context(), '1')).rejects.toMatchObject({ exitCode: 11 })
  },
)

it('does not drop a transfer that another process runs', async () => {
  const file = await createState(home, { step: 'quoted' } as TransferState)
  await expect(runTransfersDrop(context(), '1')).rejects.toMatchObject({ code: 'TRANSFER_BUSY' })
  file.release()
  expect(await listStates(home)).toEqual(['1'])
})
