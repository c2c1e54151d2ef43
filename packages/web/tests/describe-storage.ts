import { generateKeyPairSigner } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import type { OpenPages } from './open-pages.ts'
import { ask, connect, prepare, saveTicket, sign } from './send-steps.ts'
import { leave, watchVisitor } from './watched-page.ts'

const newRecipient = async () => (await generateKeyPairSigner()).address

/** Runs in the page before its scripts: the browser refuses any access to its storage. */
function blockStorage(): void {
  const get = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'indexedDB']) Object.defineProperty(globalThis, name, { get })
}

/**
 * Runs in the page: its storage becomes full once the page has saved that it asks the wallet. Like a browser's, a full
 * storage still accepts a value that is no longer than the one that it replaces.
 */
const FILL_STORAGE = `{
  const setItem = Storage.prototype.setItem
  let isFull = false
  Storage.prototype.setItem = function (key, value) {
    const isLonger = value.length > (this.getItem(key) ?? '').length
    if (isFull && isLonger) throw new DOMException('exceeded the quota', 'QuotaExceededError')
    setItem.call(this, key, value)
    isFull ||= key.startsWith('sotto:transfer:')
  }
}`

/** Tests of the send page in a browser that doesn't store its data. */
export function describeStorage(opened: () => OpenPages): void {
  describe('in a browser that stores nothing', () => {
    it('the send page says why it can send nothing, instead of failing', async () => {
      const { page, complaints, inspect } = await watchVisitor(opened().browser)
      await page.addInitScript(blockStorage)
      await page.goto(opened().sendUrl)
      await page.locator('h2:has-text("doesn’t let this page store data")').waitFor()
      await inspect('send-17-blocked')
      await page.click('text=Balances')
      await page.locator('h2:has-text("doesn’t let this page store data")').waitFor()
      expect(await page.locator('main').innerText()).not.toContain('keeps everything')
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('a signed transfer is sent although its signature can’t be stored', async () => {
      const { page, complaints } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await ask(page, '0.35', await newRecipient())
      await prepare(page)
      await saveTicket(page)
      await page.evaluate(FILL_STORAGE)
      await sign(page)
      await page.locator('h1:has-text("Delivered")').waitFor()
      expect(complaints).toEqual([])
      await leave(page)
    })
  })
}
