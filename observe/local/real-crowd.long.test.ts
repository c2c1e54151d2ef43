import { expect, it } from 'vitest'
import { driveLoad } from './drive-load.ts'
import { openLocalRun } from './local-run.ts'
import { HUNG_MS } from '../../testing/patience/hung.ts'
import type { PlannedCrowd, PlannedTransfer } from '../load/plan.ts'

const SPEED = 600

const transfer = (number: number, missed: PlannedCrowd['missed']): PlannedTransfer => ({
  ...{ kind: 'transfer', atSeconds: number, way: 'crowd', amountKind: 'odd' },
  ...{ wallet: number, payee: number, source: 'SOL', destination: 'SOL' },
  ...{ amount: 1_234_567_890n + BigInt(number), isExactOut: false, partnerBps: 0 },
  crowd: { min: 2, missed },
})

it(
  'the real service delivers a transfer late or refunds it if its crowd doesn’t come',
  async () => {
    const run = await openLocalRun()
    try {
      const steps = [transfer(1, 'deliver'), transfer(2, 'refund')]
      const plan = { steps, wallets: 3, payees: 3 }
      const driven = await driveLoad(run, plan, { speed: SPEED, onEnded: () => undefined })
      expect(driven.failures).toEqual([])
      const outcomes = driven.crowds!.map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['delivered', 'refunded'])
      expect(driven.links).toMatchObject([{ way: 'missed', amountKind: 'odd' }])
      expect(driven.links[0]!.stated).toEqual({
        anonymitySet: 1,
        linkProbability: 1,
        isPaidBefore: false,
      })
    } finally {
      await run.close()
    }
  },
  4 * HUNG_MS,
)
