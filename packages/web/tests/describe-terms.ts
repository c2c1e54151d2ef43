import { NATIVE_MINT } from '@sotto/protocol'
import { address, generateKeyPairSigner } from '@solana/kit'
import type { QuoteResponse } from '@sotto/sdk/server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { forgeNode, MAINNET } from './forge-node.ts'
import type { OpenPages } from './open-pages.ts'
import { ask, connect, connected, prepare, saveTicket, sendAll, sign } from './send-steps.ts'
import { addSendingWallet } from './sending-wallet.ts'
import { leave, watchVisitor } from './watched-page.ts'

/** The minimum balance of a wallet in lamports: the rent of an account without data. */
const WALLET_MINIMUM = 890_880n
/** The priority fee of a deposit at the next higher price, in lamports. The chain's current price is 0. */
const PRICE_RESERVE = 123n
/** A transfer to this recipient can't be delivered. It expires and is refunded: docs/test-mode.md. */
const UNPAYABLE = 'TestRefunded1111111111111111111111111111111'
const newRecipient = async () => (await generateKeyPairSigner()).address
const shown = (page: Page, selector: string) => page.locator(selector).innerText()

/** Changes the service's responses as if three wallets were sending an amount that delivers these base units. */
async function letOthersSend(page: Page, amountOut: string): Promise<void> {
  await page.route(/\/send\/api\/quote$/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { suggestions: { amountOut: string }[] }
    const suggestions = answer.suggestions.map((one) =>
      one.amountOut === amountOut ? { ...one, anonymitySet: 3, linkProbability: '0.4' } : one,
    )
    await route.fulfill({ response, json: { ...answer, suggestions } })
  })
}

/**
 * Changes the service's responses. Starting with the second quote, a swap delivers a thousandth less for the same
 * input. For the previous output, the service then suggests a thousandth more input. Quotes expire so soon that the
 * page renews them every two seconds.
 */
async function letPriceFall(page: Page): Promise<void> {
  let quotes = 0
  await page.route(/\/send\/api\/quote$/, async (route) => {
    const response = await route.fetch()
    const { quote, ...rest } = (await response.json()) as QuoteResponse
    const expiresAt = new Date(Date.parse(quote.issuedAt) + 7_000).toISOString()
    quotes += 1
    if (quotes === 1) {
      await route.fulfill({ response, json: { ...rest, quote: { ...quote, expiresAt } } })
      return
    }
    const amountOut = `${(BigInt(quote.amountOut) * 999n) / 1_000n}`
    const amount = `${(BigInt(quote.amountIn) * 1_001n) / 1_000n}`
    const others = { anonymitySet: 3, linkProbability: '0.4' }
    const suggestions = [{ amount, amountOut: quote.amountOut, ...others }]
    const json = { ...rest, quote: { ...quote, amountOut, expiresAt }, suggestions }
    await route.fulfill({ response, json })
  })
}

/** Tests of amounts, rates and results, as people read and type them. */
export function describeTerms(opened: () => OpenPages): void {
  const chain = () => opened().chain
  const usdc = () => opened().stack.setup.usdc

  describe('the terms', () => {
    it('are not computed for an ambiguous amount such as "1,500"', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await page.fill('#recipient', await newRecipient())
      await page.fill('#amount', '1,500')
      expect(await shown(page, '#amount-error')).toContain('can mean 1500 or 1.500')
      expect(await page.locator('.arrives').count()).toBe(0)
      await page.fill('#amount', '1.500,25')
      await page.locator('text=This is 1\u202f500.25 SOL').waitFor()
      await page.fill('#amount', '1,5')
      await page.locator('.arrives:has-text("1.5 SOL")').waitFor()
      await leave(page)
    })

    it('show the rate and the minimum of a swap before the order and before the signature', async () => {
      const { page, complaints, inspect } = await watchVisitor(opened().browser)
      const recipient = await newRecipient()
      await connect(page, opened().sendUrl)
      await page.selectOption('#destination', { index: 1 })
      await ask(page, '2', recipient)
      const terms = await shown(page, '.receipt')
      // 2 SOL at 150 USDC each, less a spread of 0.3 %, less a fee of 0.2 %, less the network fee for a new account.
      expect(await shown(page, '.arrives')).toContain('298.1518')
      expect(terms).toMatch(/Rate after fees\s+149\.07\d* USDC per SOL/)
      expect(terms).toMatch(/They receive at least\s+296\.66\d+ USDC/)
      // For the pictures, choose a delivery time of minutes, as real services have. The tests' own delivery time is a
      // few seconds.
      await page.check('[name=timing][value=latest]')
      await page.locator('.fact dd:has-text("minutes")').waitFor()
      await inspect('send-10-swap-terms')
      await prepare(page)
      const check = await shown(page, 'main')
      expect(check).toMatch(/Rate after fees\s+149\.07\d* USDC per SOL/)
      expect(check).toMatch(/They receive at least\s+298\.1518 USDC/)
      expect(check).toContain('it comes back to your wallet, as USDC')
      await inspect('send-11-swap-check')
      await letOthersSend(page, '300000000')
      await page.click('button:text-is("Cancel")')
      await page.click('.suggestions .pill:has-text("300 USDC")')
      await page.locator('.arrives:has-text("300 USDC")').waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      expect(await shown(page, '.receipt')).toMatch(/You pay, fees included\s+2\.012\d+ SOL/)
      await page.fill('#amount', '2')
      await page.locator('.arrives:has-text("298.1518")').waitFor()
      await page.check('[name=timing][value=usual]')
      await page.locator('.fact dd:has-text("second")').waitFor()
      await sendAll(page)
      const [, arrived = ''] = /([\d.]+) USDC arrived/.exec(await shown(page, 'main')) ?? []
      expect(check).toContain(arrived)
      expect(await chain().balance(recipient, usdc())).toBe(
        BigInt(arrived.replace('.', '').padEnd(9, '0')),
      )
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('say that the price of a swap moved if the quote no longer delivers the suggested amount', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await page.selectOption('#destination', { index: 1 })
      await letOthersSend(page, '300000000')
      await ask(page, '2', await newRecipient())
      await page.click('.suggestions .pill:has-text("300 USDC")')
      await page.locator('.arrives:has-text("300 USDC")').waitFor()
      const moved = 'The price has moved: they no longer receive exactly 300 USDC.'
      expect(await shown(page, '.panel')).not.toContain(moved)
      const before = await page.inputValue('#amount')
      await page.unrouteAll({ behavior: 'wait' })
      await letPriceFall(page)
      // The changed form first gets the first quote, which still delivers the suggested amount. Then the page renews
      // the quote.
      await page.check('[name=timing][value=latest]')
      await page.locator(`.panel:has-text("${moved}")`).waitFor()
      expect(await page.inputValue('#amount')).toBe(before)
      await page.click('.suggestions .pill:has-text("300 USDC")')
      expect(Number(await page.inputValue('#amount'))).toBeGreaterThan(Number(before))
      // If a person types an amount, they don't want the suggested amount any more.
      await page.fill('#amount', '1')
      await page.locator('.arrives:has-text("148")').waitFor()
      expect(await shown(page, '.panel')).not.toContain('The price has moved')
      await page.unrouteAll({ behavior: 'wait' })
      await leave(page)
    })

    it('must be confirmed again if the order of a swap would deliver less', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await page.selectOption('#destination', { index: 1 })
      await ask(page, '1', await newRecipient())
      const orders: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/orders')) orders.push(request.url())
      })
      await page.route(/\/send\/api\/quote$/, async (route) => {
        const response = await route.fetch()
        const { quote, ...rest } = (await response.json()) as { quote: { amountOut: string } }
        const amountOut = `${(BigInt(quote.amountOut) * 99n) / 100n}`
        await route.fulfill({ response, json: { ...rest, quote: { ...quote, amountOut } } })
      })
      await page.click('form button[type=submit]:not([aria-disabled=true])')
      await page.locator('h2:has-text("The price has changed")').waitFor()
      expect(await shown(page, '.arrives')).toContain('147.4')
      expect(orders).toEqual([])
      await page.click('button:text-is("Back")')
      expect(await page.locator('h1:has-text("Check and sign")').count()).toBe(0)
      expect(orders).toEqual([])
      await leave(page)
    })

    it('are for all that the wallet can pay if the person clicks Max', async () => {
      const { page, inspect } = await watchVisitor(opened().browser)
      const sender = address(await connect(page, opened().sendUrl))
      const recipient = await newRecipient()
      await page.fill('#recipient', recipient)
      await page.locator('.balance:has-text("25 SOL")').waitFor()
      await page.fill('#amount', '25')
      await page.locator('#amount-error:has-text("Your wallet lacks 0.0")').waitFor()
      expect(await page.locator('button[type=submit][aria-disabled=true]').count()).toBe(1)
      await page.click('.balance button')
      await page.locator('button[type=submit]:not([aria-disabled=true])').waitFor()
      await inspect('send-12-max')
      await prepare(page)
      await page.click('text=Save the recovery ticket')
      await page.click('text=Sign in Test wallet')
      await page.locator('.stages .done:has-text("Signed")').waitFor()
      const left = () => chain().balance(sender, NATIVE_MINT)
      await expect.poll(left).toBe(WALLET_MINIMUM + PRICE_RESERVE)
      await leave(page)
    })

    it('are paid exactly by a wallet that signs and sends in one step', async () => {
      const { page, complaints } = await watchVisitor(opened().browser)
      const sender = await addSendingWallet(page, chain())
      const recipient = await newRecipient()
      await page.goto(opened().sendUrl)
      await page.click('text=Connect Sending wallet')
      expect(await connected(page)).toBe(sender)
      await ask(page, '0.75', recipient)
      expect(await shown(page, '.arrives')).toContain('0.75 SOL')
      await prepare(page)
      await saveTicket(page)
      await sign(page)
      await page.locator('h1:has-text("Delivered")').waitFor()
      expect(await shown(page, 'main')).toContain('0.75 SOL arrived')
      expect(await page.locator('text=explorer.solana.com').count()).toBe(0)
      expect(await chain().balance(recipient, NATIVE_MINT)).toBe(750_000_000n)
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('are followed by an explorer link for the payment on a public chain', async () => {
      const { page, complaints } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await ask(page, '0.6', UNPAYABLE)
      await prepare(page)
      await saveTicket(page)
      await sign(page)
      await page.locator('.stages .done:has-text("Paid")').waitFor()
      await forgeNode(page, 'getGenesisHash', (answer) => ({ ...answer, result: MAINNET }))
      await page.reload()
      const link = page.locator('a:has-text("explorer.solana.com")')
      await link.waitFor()
      const [href, target, rel] = await Promise.all(
        ['href', 'target', 'rel'].map((name) => link.getAttribute(name)),
      )
      expect(href).toMatch(/^https:\/\/explorer\.solana\.com\/tx\/[1-9A-HJ-NP-Za-km-z]{86,88}$/)
      expect([target, rel]).toEqual(['_blank', 'noopener noreferrer'])
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('are above the button to continue on a phone', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await ask(page, '1', await newRecipient())
      await page.setViewportSize({ width: 360, height: 740 })
      const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
      expect(await top('.arrives')).toBeLessThan(await top('button[type=submit]'))
      expect(await top('.crowd')).toBeLessThan(await top('button[type=submit]'))
      await leave(page)
    })

    it('need a second confirmation if the transfer has no privacy', async () => {
      const { page, inspect } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      const recipient = await newRecipient()
      await ask(page, '1.25', recipient)
      expect(await shown(page, '.crowd')).toContain('Anyone who reads the public blockchain: yes')
      await page.check('[name=timing][value=latest]')
      await page.locator('.fact dd:has-text("minutes")').waitFor()
      await inspect('send-2-terms')
      await page.check('[name=timing][value=crowd]')
      await page.locator('.crowd-head:has-text("One of 5 or more")').waitFor()
      expect(await shown(page, '.crowd')).toContain('only while at least 5 wallets')
      await inspect('send-16-in-a-crowd')
      await page.check('[name=timing][value=latest]')
      await page.locator('.crowd-head:has-text("Not private")').waitFor()
      // Other amounts are helpful only if others send them, so none is suggested here.
      expect(await page.locator('.suggestions').count()).toBe(0)
      await letOthersSend(page, '1500000000')
      await page.fill('#amount', '1.2')
      await page.locator('.suggestions').waitFor()
      expect(await page.locator('.suggestions .pill').allInnerTexts()).toEqual([
        expect.stringMatching(/^1\.5 SOL\s*at least 2 others/),
      ])
      await page.click('.suggestions .pill')
      await page.locator('.arrives:has-text("1.5 SOL")').waitFor()
      expect(await page.inputValue('#amount')).toBe('1.5')
      await page.unrouteAll({ behavior: 'wait' })
      await page.fill('#amount', '1.25')
      await page.locator('.arrives:has-text("1.25 SOL")').waitFor()
      await page.click('form button[type=submit]:not([aria-disabled=true])')
      await page.locator('h1:has-text("Anyone can link this transfer")').waitFor()
      await inspect('send-3-alone')
      expect(await shown(page, 'main')).toContain('you sent 1.25 SOL')
      await page.click('text=Go back and change it')
      expect(await page.inputValue('#amount')).toBe('1.25')
      expect(await page.inputValue('#recipient')).toBe(recipient)
      await page.locator('.arrives').waitFor()
      await prepare(page)
      expect(await shown(page, '.crowd')).toContain('Anyone who reads the public blockchain: yes')
      await leave(page)
    })
  })
}
