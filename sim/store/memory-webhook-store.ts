import type { Webhook, WebhookStore } from '../../packages/server/src/ports/webhook-store.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** The webhooks of accounts, in memory. */
export function memoryWebhookStore(database: MemoryDatabase): WebhookStore {
  const own = (accountId: string) =>
    [...database.webhooks.values()].filter((webhook) => webhook.accountId === accountId)
  const change = (webhook: Webhook | undefined, changes: Partial<Webhook>) => {
    if (webhook === undefined) return undefined
    const changed = { ...webhook, ...changes }
    database.webhooks.set(webhook.id, changed)
    return changed
  }
  const find = (accountId: string, id: string) => own(accountId).find((one) => one.id === id)
  return {
    tryAdd: async (webhook, most) => {
      if (own(webhook.accountId).length >= most) return false
      database.webhooks.set(webhook.id, webhook)
      return true
    },
    list: async (accountId) => own(accountId).sort((a, b) => a.createdAtMs - b.createdAtMs),
    remove: async (accountId, id) =>
      find(accountId, id) !== undefined && database.webhooks.delete(id),
    tryRotate: async (accountId, id, overlapUntilMs) => {
      const webhook = find(accountId, id)
      const secretVersion = (webhook?.secretVersion ?? 0) + 1
      return change(webhook, { secretVersion, overlapUntilMs })
    },
    tryEnable: async (accountId, id) => {
      const webhook = find(accountId, id)
      const timesEnabled = (webhook?.timesEnabled ?? 0) + 1
      return change(webhook, { disabledAtMs: undefined, timesEnabled })
    },
    disable: async ({ id, timesEnabled }, hourMs) => {
      const webhook = database.webhooks.get(id)
      if (webhook?.disabledAtMs !== undefined || webhook?.timesEnabled !== timesEnabled) return
      change(webhook, { disabledAtMs: hourMs })
    },
  }
}
