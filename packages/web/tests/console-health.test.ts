import { expect, it } from 'vitest'
import { signsOf } from '../pages/console/model/health.ts'
import { inventorySigns, lastsText } from '../pages/console/model/inventory.ts'
import type { Overview, Vault } from '../pages/console/model/console-api.ts'

const NOW_MS = 1_800_000_000_000
const secondsAgo = (seconds: number) => new Date(NOW_MS - seconds * 1_000).toISOString()

/** An overview of a service whose newest followed block has this age. */
const overviewAt = (seconds: number, cluster: string, hasPaidPayees = true) =>
  ({
    ...{
      takenAt: secondsAgo(0),
      cluster,
      roles: ['api'],
      vaults: [],
      troubles: [],
      settlement: null,
    },
    health: {
      halted: null,
      unfollowedSeconds: 120,
      followed: { slot: '7', chainTime: secondsAgo(seconds), at: secondsAgo(1) },
      hasPaidPayees,
    },
    open: { awaitingDeposit: 0, delivering: 0, refunding: 0 },
  }) as unknown as Overview

/** The findings about chain and new orders if the newest followed block has this age. */
function shownAt(seconds: number, cluster = 'mainnet'): (string | undefined)[] {
  const signs = signsOf(overviewAt(seconds, cluster))
  return ['Chain', 'New orders'].map((name) => signs.find((sign) => sign.name === name)?.text)
}

it('reports that new orders are refused while the newest block is minutes old', () => {
  expect(shownAt(239)[1]).toBe('are taken')
  const [chain, orders] = shownAt(600)
  expect(chain).toMatch(/^not followed: the newest block is 10 min/)
  expect(orders).toBe('are refused: chain')
  expect(shownAt(600, 'localnet')[1]).toBe('are taken')
})

it('warns while payees of earlier settlements are missing', () => {
  const shown = (hasPaidPayees: boolean) =>
    signsOf(overviewAt(1, 'mainnet', hasPaidPayees)).find(({ name }) => name === 'Earlier payees')
  expect(shown(true)).toBeUndefined()
  expect(shown(false)).toMatchObject({
    level: 'warn',
    runbook: '/console/runbook-paid-payees-missing.html',
  })
})

it('says that it is unknown how long an inventory will last', () => {
  const vault = { symbol: 'SOL', decimals: 9, held: '1', owed: '0', fees: '0', inventory: '1' }
  const vaults: Vault[] = [{ ...vault, covers: true }]
  expect(vaults.map(({ dryHours }) => lastsText(dryHours))).toEqual(['unknown'])
  expect(inventorySigns(vaults)).toEqual([])
  expect(lastsText(null)).toBe('not for swaps')
})
