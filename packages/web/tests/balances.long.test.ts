import { decodeTicket, fieldToBytes, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { address, generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askPayment,
  everythingSent,
  heading,
  lamportsIn,
  openBalances,
  payIn,
  prepareTopUp,
  saveBalanceFile,
  shown,
} from './balance-steps.ts'
import { describeBalanceTabs } from './describe-balance-tabs.ts'
import { isWithoutBrowser, openPages, type OpenPages } from './open-pages.ts'
import { ask, connect, tabTo } from './send-steps.ts'
import { leave, watchVisitor } from './watched-page.ts'

const newRecipient = async () => (await generateKeyPairSigner()).address

let pages: OpenPages
const balanceOf = (wallet: string) => pages.chain.balance(address(wallet), NATIVE_MINT)

describe.skipIf(isWithoutBrowser)('a balance on the send page', () => {
  beforeAll(async () => {
    pages = await openPages()
  })
  afterAll(() => pages?.close())

  // Each test is a visitor with its own wallet. The tests spend most of their time waiting, so they can run at the
  // same time.
  describe.concurrent('for visitors at the same time', () => {
    it('sends an exact amount without the wallet, and returns its rest', async () => {
      const { page, complaints, inspect } = await watchVisitor(pages.browser)
      const sent = everythingSent(page.context())
      const wallet = await openBalances(page, pages.sendUrl)
      await inspect('balance-1-none')
      await page.click('text=Pay into a new balance')
      await page.fill('#top-up-amount', '2')
      await page.locator('.costs').waitFor()
      await inspect('balance-2-top-up')
      await page.click('text=Back to your balances')
      await prepareTopUp(page, '2')
      await inspect('balance-3-keep')
      const { ticket, name } = await payIn(page, '2')
      const { secret = 0n, orderId } = decodeTicket(ticket, ownerOf)
      expect(name).toBe(`sotto-balance-${Buffer.from(orderId).toString('hex').slice(0, 8)}.txt`)
      const paidIn = await balanceOf(wallet)

      const recipient = await newRecipient()
      await askPayment(page, '0.3', recipient)
      expect(await shown(page, '.linkers')).toContain('a payment made now points to your wallet')
      await inspect('balance-4-too-soon')
      const gross = lamportsIn(await shown(page, '.receipt div:has-text("From your balance") dd'))
      // The payment doesn't need the wallet any more.
      await page.click('text=Disconnect')
      // An impatient person clicks twice before the page has changed.
      await page.locator('text=Send now, easy to link').evaluate((button) => {
        const { click } = button as unknown as { readonly click: () => void }
        for (let clicks = 0; clicks < 2; clicks += 1) click.call(button)
      })
      await page.locator('.stages').waitFor()
      await inspect('balance-5-sending')
      await heading(page, 'Sent')
      await inspect('balance-6-sent')
      expect(await shown(page)).toContain('0.3 SOL arrived')
      expect(await balanceOf(recipient)).toBe(300_000_000n)
      // The fees are 0.2 % of the sum that leaves the balance, plus 100,000 lamports.
      expect(gross - 300_000_000n).toBe((gross * 2n + 999n) / 1_000n + 100_000n)
      await page.click('text=Show what is left')
      await heading(page, 'SOL left')
      expect(lamportsIn(await shown(page, 'h1'))).toBe(2_000_000_000n - gross)
      expect(await shown(page, 'details')).toContain('1 payment')

      await page.click('text=Take the rest back')
      await page.locator('.arrives').waitFor()
      await inspect('balance-7-take-back')
      const back = lamportsIn(await shown(page, '.arrives strong'))
      const sumOf = async (row: string) =>
        lamportsIn(await shown(page, `.receipt div:has-text("${row}") dd`))
      expect(await sumOf('All that is in')).toBe(2_000_000_000n - gross)
      expect((await sumOf('Given up')) + (await sumOf('From your balance'))).toBe(
        2_000_000_000n - gross,
      )
      await page.click('text=Take it back now')
      await heading(page, 'The rest is back')
      expect((await balanceOf(wallet)) - paidIn).toBe(back)
      await page.click('text=Show what is left')
      await heading(page, 'You took this balance back')
      await page.click('text=Remove it from this browser')
      await page.locator('text=This browser has no balance yet').waitFor()

      const secretText = Buffer.from(fieldToBytes(secret)).toString('hex')
      const everything = sent()
      expect(everything.length).toBeGreaterThan(10_000)
      for (const kept of [ticket, ticket.slice(7), secretText, `${secret}`]) {
        expect(everything).not.toContain(kept)
      }
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('is signed only after its file was saved and confirmed', async () => {
      const { page, complaints } = await watchVisitor(pages.browser)
      const wallet = await openBalances(page, pages.sendUrl)
      const before = await balanceOf(wallet)
      await prepareTopUp(page, '0.5')
      const sign = page.locator('button:has-text("Sign in")')
      const confirm = page.locator('.ticket .check input')
      const expectUnsignable = async () => {
        expect(await sign.getAttribute('aria-disabled')).toBe('true')
        expect(await confirm.isDisabled()).toBe(true)
        await sign.click({ force: true })
        await heading(page, 'Save the file, then sign')
      }
      await expectUnsignable()
      const { ticket } = await saveBalanceFile(page)
      // The download alone isn't enough, because some browsers ask before they save a file, and people may decline.
      expect(await sign.getAttribute('aria-disabled')).toBe('true')
      await confirm.check()
      expect(await sign.getAttribute('aria-disabled')).toBe('false')
      await confirm.uncheck()
      expect(await sign.getAttribute('aria-disabled')).toBe('true')

      await page.reload()
      await heading(page, 'Your balances')
      await page.click('button:has-text("Finish")')
      await page.locator('.problem:has-text("Your wallet is needed")').waitFor()
      // Until the wallet is connected, the top-up can't be continued.
      const resume = page.locator('button:text-is("Continue")')
      expect(await resume.getAttribute('aria-disabled')).toBe('true')
      await page.click('text=Connect Test wallet')
      await resume.click()
      await heading(page, 'Save the file, then sign')
      await expectUnsignable()
      expect(await balanceOf(wallet)).toBe(before)
      const again = await payIn(page, '0.5')
      expect(decodeTicket(again.ticket, ownerOf).secret).toBe(decodeTicket(ticket, ownerOf).secret)
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('is not listed if it is cancelled before the signature', async () => {
      const { page } = await watchVisitor(pages.browser)
      await openBalances(page, pages.sendUrl)
      await prepareTopUp(page, '0.5')
      await page.click('text=Cancel')
      await heading(page, 'Pay into a new balance')
      expect(await page.inputValue('#top-up-amount')).toBe('0.5')
      await page.click('text=Back to your balances')
      await page.locator('text=This browser has no balance yet').waitFor()
      await leave(page)
    })

    describeBalanceTabs(() => pages)

    it('is proposed if a transfer would hide nothing', async () => {
      const { page, complaints, inspect } = await watchVisitor(pages.browser)
      await connect(page, pages.sendUrl)
      const recipient = await newRecipient()
      await ask(page, '0.123', recipient)
      expect(await shown(page, '.crowd')).toContain('Anyone who reads the public blockchain: yes')
      await tabTo(page, 'text=Pay into a balance instead')
      await page.keyboard.press('Enter')
      await heading(page, 'Pay into a new balance')
      expect(await page.locator('h1').evaluate((h1) => h1 === h1.ownerDocument.activeElement)).toBe(
        true,
      )
      await page.click('text=Back to your balances')
      await prepareTopUp(page, '0.9', 'day')
      await payIn(page, '0.9')
      // The balance ends in about a day. The warning appears in the list of balances and on the transfer page.
      expect(await shown(page, '.ending')).toContain('This balance ends in')
      await page.click('nav button:has-text("Send")')
      expect(await shown(page, '.ending')).toContain('returns by itself to your wallet')
      await inspect('balance-11-proposed')
      expect(await page.inputValue('#recipient')).toBe(recipient)
      await page.locator('form button[type=submit]:not([aria-disabled=true])').click()
      await heading(page, 'Anyone can link this transfer')
      await page.click('text=Send from your balance instead')
      expect(await page.inputValue('#recipient')).toBe(recipient)
      expect(await page.inputValue('#pay-amount')).toMatch(/^0\.12\d+$/)
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('delays a payment that would be easy to link by its time', async () => {
      const { page, inspect } = await watchVisitor(pages.browser)
      await openBalances(page, pages.sendUrl)
      await prepareTopUp(page, '0.8')
      await payIn(page, '0.8')
      const recipient = await newRecipient()
      await askPayment(page, '0.25', recipient)
      await page.click('button:has-text("then send")')
      await heading(page, 'Waiting until')
      await inspect('balance-12-waiting')
      await page.click('text=Stop: don’t send it')
      expect(await page.inputValue('#pay-amount')).toBe('0.25')
      await page.locator('.arrives').waitFor()
      await page.click('button:has-text("then send")')
      await heading(page, 'Waiting until')
      // Eight hours is longer than any payment waits.
      await page.clock.setFixedTime(Date.now() + 8 * 3_600_000)
      await heading(page, 'Sent')
      expect(await balanceOf(recipient)).toBe(250_000_000n)
      await page.click('text=Show what is left')
      // The payment is made only once, even if a timer fires several times.
      await heading(page, '0.549398797 SOL left')
      // The browser's clock is hours ahead now. By the chain's clock, a new payment still points to the top-up.
      await askPayment(page, '0.1', await newRecipient())
      expect(await shown(page, '.linkers')).toContain('your wallet paid in recently')
      await inspect('balance-13-terms')
      // A payment of the whole top-up can always be linked by its amount. A payment of a part of it can't.
      await page.click('button:text-is("Send all")')
      await page.locator('.receipt:has-text("Left afterwards")').waitFor()
      expect(await shown(page, '.linkers')).not.toContain('amounts match')
      await leave(page)
    })
  })
})
