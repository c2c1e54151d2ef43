import { generateKeyPairSigner } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import type { OpenPages } from './open-pages.ts'
import { ask, connect, connected, prepare, saveTicket, sign } from './send-steps.ts'
import { addSendingWallet } from './sending-wallet.ts'
import { leave, watchVisitor } from './watched-page.ts'

const newRecipient = async () => (await generateKeyPairSigner()).address

/** Runs in the page before its scripts: registers a wallet that never answers a request to connect. */
function registerSilentWallet(): void {
  type Api = { register: (wallet: object) => void }
  const page = globalThis as unknown as {
    addEventListener: (name: string, heard: (event: { detail: Api }) => void) => void
  }
  const silent = () => new Promise(() => undefined)
  const wallet = {
    ...{ version: '1.0.0', name: 'Silent wallet', chains: ['solana:localnet'], accounts: [] },
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    features: {
      'standard:connect': { version: '1.0.0', connect: silent },
      'solana:signTransaction': {
        ...{ version: '1.0.0', supportedTransactionVersions: [0], signTransaction: silent },
      },
    },
  }
  page.addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(wallet))
}

/** Tests of the send page with wallets that don't answer, and of forms that the person changes meanwhile. */
export function describeWallets(opened: () => OpenPages): void {
  describe('a wallet that never answers', () => {
    it('does not prevent the person from connecting another wallet', async () => {
      const { page, complaints } = await watchVisitor(opened().browser)
      await page.addInitScript(registerSilentWallet)
      await page.goto(opened().sendUrl)
      await page.click('text=Connect Silent wallet')
      await page.locator('text=Waiting for Silent wallet').waitFor()
      await page.click('text=Connect Test wallet')
      await connected(page)
      expect(complaints).toEqual([])
      await leave(page)
    })

    it('is not said to have signed a transfer that goes on without the page', async () => {
      const { page, complaints } = await watchVisitor(opened().browser)
      await addSendingWallet(page, opened().chain, true)
      await page.goto(opened().sendUrl)
      await page.click('text=Connect Sending wallet')
      await ask(page, '0.15', await newRecipient())
      await prepare(page)
      await saveTicket(page)
      await sign(page)
      await page.locator('text=Sign in Sending wallet.').waitFor()
      const said = await page.locator('main').innerText()
      expect(said).toContain('Keep this page open')
      expect(said).not.toMatch(/You can close this page|The transfer goes on/)
      await page.reload()
      await page.locator('h2:has-text("Your wallet is needed")').waitFor()
      expect(await page.locator('main').innerText()).toContain(
        'not known yet whether you have paid',
      )
      expect(complaints).toEqual([])
      await leave(page)
    })
  })

  it('Max does not replace an amount or an asset that the person has chosen meanwhile', async () => {
    const { page } = await watchVisitor(opened().browser)
    await connect(page, opened().sendUrl)
    await page.locator('.balance:has-text("25 SOL")').waitFor()
    let answer: () => void = () => undefined
    await page.route(/\/send\/api\/quote$/, async (route) => {
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue()
    })
    const askMost = async () => {
      await page.click('.balance button')
      await page.locator('.balance button:has-text("Asking")').waitFor()
    }
    const answered = async () => {
      const response = page.waitForResponse(/\/send\/api\/quote$/)
      answer()
      await (await response).finished()
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    }
    await askMost()
    await page.fill('#amount', '2')
    await answered()
    await page.locator('.balance button:has-text("Max")').waitFor()
    expect(await page.inputValue('#amount')).toBe('2')
    await askMost()
    await page.selectOption('#source', { label: 'USDC' })
    await answered()
    expect(await page.inputValue('#amount')).toBe('2')
    await leave(page)
  })
}
