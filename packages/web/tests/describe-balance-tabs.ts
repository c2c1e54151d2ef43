import { NATIVE_MINT } from '@sotto/protocol'
import { address, generateKeyPairSigner } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import {
  askPayment,
  heading,
  openBalances,
  payIn,
  prepareTopUp,
  sendNow,
  shown,
} from './balance-steps.ts'
import { HUNG_MS } from '../../../testing/patience/hung.ts'
import type { OpenPages } from './open-pages.ts'
import { leave, watchVisitor } from './watched-page.ts'

const newRecipient = async () => (await generateKeyPairSigner()).address

/** Tests of a balance in several browsers, in several tabs, and in a tab that was closed during a payment. */
export function describeBalanceTabs(opened: () => OpenPages): void {
  const balanceOf = (wallet: string) => opened().chain.balance(address(wallet), NATIVE_MINT)

  describe('a balance', () => {
    it('can be opened in another browser with its file', async () => {
      const { page } = await watchVisitor(opened().browser)
      await openBalances(page, opened().sendUrl)
      await prepareTopUp(page, '0.7')
      const { path } = await payIn(page, '0.7')
      const other = await watchVisitor(opened().browser)
      await other.page.goto(`${opened().sendUrl}#balances`)
      await other.page.click('text=Use a balance file')
      await other.inspect('balance-8-file')
      const wrong = {
        name: 'note.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('shopping list'),
      }
      await other.page.setInputFiles('#balance-file', wrong)
      await other.page.locator('.problem:has-text("not the file of a balance")').waitFor()
      await other.page.setInputFiles('#balance-file', path)
      await heading(other.page, '0.7 SOL left')
      // Only this page's own top-ups certainly ask for the return of the rest.
      expect(await shown(other.page, 'main')).toContain('If it was opened with --no-return')
      expect(await shown(page, 'main')).not.toContain('--no-return')
      const recipient = await newRecipient()
      await askPayment(other.page, '0.2', recipient)
      await sendNow(other.page)
      await heading(other.page, 'Sent')
      expect(await balanceOf(recipient)).toBe(200_000_000n)
      await other.page.click('text=Show what is left')
      await heading(other.page, 'SOL left')
      await heading(other.page, 'SOL left')
      const left = await shown(other.page, 'h1')
      // The first browser follows the chain to the note that the other browser's payment left.
      await page.click('text=Back to your balances')
      await page.click('.listed button')
      await heading(page, left.replace(' left', ''))
      // If this browser already has the balance of the file, opening the file opens that balance with its record of
      // payments.
      await other.page.click('text=Back to your balances')
      await other.page.click('text=Use a balance file')
      await other.page.setInputFiles('#balance-file', path)
      await other.page.locator('summary:has-text("1 payment")').waitFor()
      expect(other.complaints).toEqual([])
      await leave(other.page)
      await leave(page)
    })

    it('is used by one tab at a time', async () => {
      const { page, inspect } = await watchVisitor(opened().browser)
      await openBalances(page, opened().sendUrl)
      await prepareTopUp(page, '0.4')
      await payIn(page, '0.4')
      const second = await page.context().newPage()
      await second.goto(`${opened().sendUrl}#balances`)
      await second.click('.listed button')
      await heading(second, 'Already open in another tab')
      expect(await second.locator('#pay-amount').count()).toBe(0)
      await page.click('text=Back to your balances')
      await heading(second, '0.4 SOL left')
      await page.click('.listed button')
      await heading(page, 'Already open in another tab')
      await inspect('balance-9-elsewhere')
      await second.close()
      await heading(page, '0.4 SOL left')
      await leave(page)
    })

    it('finishes a signed payment when the page is opened again, and pays it once', async () => {
      const { page } = await watchVisitor(opened().browser)
      const context = page.context()
      await openBalances(page, opened().sendUrl)
      await prepareTopUp(page, '0.6')
      await payIn(page, '0.6')
      const recipient = await newRecipient()
      await askPayment(page, '0.1', recipient)
      // The tab is closed after it has saved the payment as signed, and before the service has the signature.
      const signature = /\/send\/api\/orders\/[^/]+\/signature$/
      const reached = new Promise<void>((resolve) => {
        void page.route(signature, () => resolve())
      })
      await sendNow(page)
      await reached
      await page.close()
      const later = await context.newPage()
      later.setDefaultTimeout(HUNG_MS)
      await later.goto(`${opened().sendUrl}#balances`)
      await later.click('.listed button')
      await later.locator('text=A payment was interrupted').waitFor()
      await heading(later, 'Sent')
      expect(await balanceOf(recipient)).toBe(100_000_000n)
      await later.click('text=Show what is left')
      await later.locator('summary:has-text("1 payment")').waitFor()
      expect(await balanceOf(recipient)).toBe(100_000_000n)
      await context.close()
    })

    it('asks again about a payment that was interrupted before it was signed', async () => {
      const { page, inspect } = await watchVisitor(opened().browser)
      await openBalances(page, opened().sendUrl)
      await prepareTopUp(page, '0.6')
      await payIn(page, '0.6')
      const recipient = await newRecipient()
      await askPayment(page, '0.1', recipient)
      const reached = new Promise<void>((resolve) => {
        // The request never reaches the service. It is held until the page has been loaded again.
        void page.route(/\/send\/api\/payments$/, () => resolve())
      })
      await sendNow(page)
      await reached
      await page.reload()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.click('.listed button')
      await heading(page, 'A payment was not made')
      await inspect('balance-10-unpaid')
      await page.click('text=Send it now')
      // The person agreed to the price before the page was loaded again, so the page asks once more.
      await heading(page, 'Check the price')
      await page.click('text=Send with this price')
      await heading(page, 'Sent')
      expect(await balanceOf(recipient)).toBe(100_000_000n)
      await leave(page)
    })
  })
}
