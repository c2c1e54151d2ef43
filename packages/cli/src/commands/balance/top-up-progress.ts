import { memoryBalance, storedBalance, type BalanceStore } from '@sotto/sdk/balance'
import type { Progress } from '../../output/progress.ts'
import { showStep } from '../../output/show-step.ts'

/** Wraps a store so that each write shows the step that the deposit has reached. */
export function topUpProgress(store: BalanceStore, progress: Progress): BalanceStore {
  return {
    read: store.read,
    write: async (text, before) => {
      await store.write(text, before)
      const topUp = (await storedBalance(memoryBalance(text)))?.topUp
      if (topUp === 'deposited') progress.doing('the deposit is on the chain')
      else if (topUp !== null && topUp !== undefined) progress.doing(showStep({ step: topUp }))
    },
  }
}
