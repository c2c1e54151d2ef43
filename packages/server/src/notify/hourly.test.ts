import { expect, it } from 'vitest'
import type { Webhook } from '../ports/webhook-store.ts'
import { Hourly } from './hourly.ts'

const HOUR_MS = 3_600_000
const webhook = (id: string): Webhook => ({ id, timesEnabled: 1 }) as Webhook

it('disables an endpoint soon after a failed write, and the other endpoints at once', async () => {
  const hourly = new Hourly(0)
  const disabled: string[] = []
  const logged: string[] = []
  let failing = ['a']
  const d = {
    webhooks: {
      disable: async ({ id }: Pick<Webhook, 'id'>) => {
        if (failing.includes(id)) throw new Error('too late')
        disabled.push(id)
      },
    },
    log: {
      event: (name: string) => void logged.push(name),
      failed: (name: string) => void logged.push(`failed ${name}`),
    },
  }
  hourly.gone(webhook('a'))
  hourly.gone(webhook('b'))
  await hourly.turn(d, HOUR_MS - 1)
  expect(logged).toEqual([])
  await hourly.turn(d, HOUR_MS)
  expect(disabled).toEqual(['b'])
  expect(logged).toEqual(['webhook_disabled', 'webhook_disabled', 'failed webhook'])
  // An endpoint that is gone in the new hour waits for the end of that hour.
  hourly.gone(webhook('c'))
  failing = []
  await hourly.turn(d, HOUR_MS + 1)
  expect(disabled).toEqual(['b', 'a'])
  expect([hourly.isGone(webhook('a')), hourly.isGone(webhook('c'))]).toEqual([false, true])
  await hourly.turn(d, 2 * HOUR_MS)
  expect(disabled).toEqual(['b', 'a', 'c'])
})
