import { decodeTicket, orderAddress } from '@sotto/protocol'
import { address, generateKeyPairSigner, type Address } from '@solana/kit'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callLocal } from '../../../demo/src/stack/call-local.ts'
import { describeConsole } from './describe-console.ts'
import { describeProxy } from './describe-proxy.ts'
import { describeRefusals } from './describe-refusals.ts'
import { isWithoutBrowser, openPages, type OpenPages } from './open-pages.ts'
import { ask, connect, connected, prepare, saveTicket, sign, tabTo } from './send-steps.ts'
import { leave, watchVisitor } from './watched-page.ts'

const SOL = address('So11111111111111111111111111111111111111112')
const REFUNDED = 'TestRefunded1111111111111111111111111111111'
const NO_LIQUIDITY = 'TestNoLiquidity1111111111111111111111111111'
/** Seconds after which a new order has certainly expired. */
const PAST_EXPIRY = 7_800
/** Seconds after which a transaction can't land any more. 150 blocks take less time than this. */
const PAST_BLOCKHASH = 90

let pages: OpenPages

/** The wallet's costs in addition to the payment: the transaction fee, and the rent, which is returned later. */
async function spentBeside(trackingId: string): Promise<bigint> {
  const { chain, stack } = pages
  const orderId = new Uint8Array(Buffer.from(trackingId.slice(3), 'base64url'))
  const account = await orderAddress(stack.program as Address, orderId)
  const rent = await chain.balance(account, SOL)
  const [deposit] = await chain.rpc.getSignaturesForAddress(account).send()
  const options = { encoding: 'json', maxSupportedTransactionVersion: 0 } as const
  const transaction = await chain.rpc.getTransaction(deposit!.signature, options).send()
  return rent + (transaction?.meta?.fee ?? 0n)
}

/** The output of `sotto recover show` for a ticket's file. */
async function recoverShow(path: string): Promise<Record<string, unknown>> {
  const binary = fileURLToPath(new URL('../../cli/bin/sotto.mjs', import.meta.url))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, SOTTO_RPC_URL: pages.stack.rpcUrl }
  const child = spawn(process.execPath, [binary, 'recover', 'show', path, '--json'], { env })
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (out === '') throw new Error(errors)
  return JSON.parse(out) as Record<string, unknown>
}

describe.skipIf(isWithoutBrowser)('the pages, in a browser', () => {
  beforeAll(async () => {
    pages = await openPages()
  })
  afterAll(() => pages?.close())

  // Each test is a visitor with its own wallet. The tests spend most of their time waiting, so they can run at the
  // same time.
  describe.concurrent('for visitors at the same time', () => {
    it('sends exactly the entered amount for a person without a mouse', async () => {
      const { page, complaints, received, inspect } = await watchVisitor(pages.browser)
      const recipient = (await generateKeyPairSigner()).address
      await page.goto(pages.sendUrl)
      await page.locator('.wallet').waitFor()
      await inspect('send-1-start')
      await tabTo(page, '.wallet')
      await page.keyboard.press('Enter')
      const sender = address(await connected(page))
      const before = await pages.chain.balance(sender, SOL)
      await tabTo(page, '#amount')
      await page.keyboard.type('1.5')
      await tabTo(page, '#recipient')
      await page.keyboard.type(recipient)
      await page.locator('.arrives').waitFor()
      expect(await page.locator('.arrives').innerText()).toContain('1.5 SOL')
      await tabTo(page, 'form button[type=submit]')
      await page.keyboard.press('Enter')
      await page.locator('h1:has-text("Anyone can link")').waitFor()
      await tabTo(page, 'text=Send it anyway')
      await page.keyboard.press('Enter')
      await page.locator('h1:has-text("Check and sign")').waitFor()
      // The new view's heading has the focus, so screen readers announce the view.
      expect(await page.locator('h1').evaluate((h1) => h1 === h1.ownerDocument.activeElement)).toBe(
        true,
      )
      await inspect('send-4-check')
      await tabTo(page, 'text=Sign in Test wallet')
      await page.keyboard.press('Enter')
      expect(await page.locator('h1').innerText()).toBe('Check and sign')
      await page.keyboard.press('Shift+Tab')
      const download = page.waitForEvent('download')
      await page.keyboard.press('Enter')
      const path = await (await download).path()
      await tabTo(page, 'text=Sign in Test wallet')
      await page.keyboard.press('Enter')
      await page.locator('.stages').waitFor()
      await inspect('send-5-progress')
      const shown = recoverShow(path)
      await page.locator('h1:has-text("Delivered")').waitFor()
      await inspect('send-6-delivered')
      expect(await pages.chain.balance(recipient, SOL)).toBe(1_500_000_000n)
      const { trackingId, ...ticket } = await shown
      const spent = before - (await pages.chain.balance(sender, SOL))
      // The wallet pays 1.5 SOL, plus 0.2 % of the whole sum, plus the network fee for a new account.
      expect(spent).toBe(1_503_106_213n + (await spentBeside(String(trackingId))))
      expect(ticket).toMatchObject({ sender, recipient, amountOut: '1500000000' })
      expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['sotto:test-wallet'])
      expect(await received()).not.toContain(pages.apiKey)
      expect(complaints).toEqual([])
      await leave(page)
    })

    describeRefusals(() => pages)

    it('shows an error at the field that must be corrected', async () => {
      const { page, inspect } = await watchVisitor(pages.browser)
      await connect(page, pages.sendUrl)
      await page.fill('#amount', '1.0000000001')
      await page.fill('#recipient', 'nobody')
      const shown = (id: string) => page.locator(id).innerText()
      expect(await shown('#amount-error')).toContain('at most 9 digits')
      expect(await shown('#recipient-error')).toContain('not a Solana address')
      await page.fill('#recipient', (await generateKeyPairSigner()).address)
      await page.fill('#amount', '0.0000001')
      await page.locator('#amount-error:has-text("limits")').waitFor()
      expect(await shown('#amount-error')).toMatch(/between 0\.00\d+ and 99\.\d+/)
      await inspect('send-9-wrong')
      await page.fill('#amount', '1')
      await page.fill('#recipient', NO_LIQUIDITY)
      await page.locator('.panel .problem').waitFor()
      expect(await shown('.panel .problem')).toContain('LIQUIDITY_UNAVAILABLE')
      expect(await shown('.panel .problem')).toContain('Nothing was paid')
      await leave(page)
    })
  })

  it('refunds an undeliverable transfer even after the page was closed', async () => {
    const { page, complaints, inspect } = await watchVisitor(pages.browser)
    const sender = address(await connect(page, pages.sendUrl))
    await ask(page, '0.25', REFUNDED)
    await prepare(page)
    const { text: ticket } = await saveTicket(page)
    const claim = { recipient: REFUNDED }
    expect(decodeTicket(ticket).note).toMatchObject({ sender, claim })
    await callLocal(pages.stack.rpcUrl, 'localnet_advanceTime', [PAST_BLOCKHASH])
    const refreshed = page.waitForResponse((response) => response.url().endsWith('/refresh'))
    await sign(page)
    expect((await refreshed).status()).toBe(200)
    await page.locator('.stages .done:has-text("Paid")').waitFor()
    const paid = await pages.chain.balance(sender, SOL)
    await page.reload()
    await page.locator('.stages').waitFor()
    await callLocal(pages.stack.rpcUrl, 'localnet_advanceTime', [PAST_EXPIRY])
    await page.locator('h1:has-text("Your money is back")').waitFor()
    await inspect('send-7-refunded')
    expect(await page.locator('main').innerText()).toContain('could not receive')
    expect(await pages.chain.balance(sender, SOL)).toBeGreaterThanOrEqual(paid + 250_000_000n)
    expect(complaints).toEqual([])
    await leave(page)
  })

  describeConsole(() => pages)
  describeProxy(() => pages)
})
