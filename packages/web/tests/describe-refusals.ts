import { NATIVE_MINT } from '@sotto/protocol'
import { address, generateKeyPairSigner, getBase64Encoder, getBase64Decoder } from '@solana/kit'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { forgeNode, MAINNET, type NodeAnswer } from './forge-node.ts'
import type { OpenPages } from './open-pages.ts'
import { ask, connect } from './send-steps.ts'
import { leave, watchVisitor } from './watched-page.ts'

const SOL = address(NATIVE_MINT)
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111'
const isProgramData = (bytes: Uint8Array): boolean => bytes[0] === 3

interface Accounts {
  readonly value: ({ owner: string; data: [string, string] } | null)[]
}

/** Returns the same accounts with one byte of the program's code changed. */
function otherProgram(answer: NodeAnswer): NodeAnswer {
  const { value, ...rest } = answer.result as Accounts
  const changed = value.map((account) => {
    if (account?.owner !== UPGRADEABLE_LOADER) return account
    const bytes = new Uint8Array(getBase64Encoder().encode(account.data[0]))
    if (!isProgramData(bytes)) return account
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1
    return { ...account, data: [getBase64Decoder().decode(bytes), 'base64'] }
  })
  return { ...answer, result: { ...rest, value: changed } }
}

/** Tests of the refusals before the page asks the wallet, and of the page after a short failure of the service. */
export function describeRefusals(opened: () => OpenPages): void {
  const expectRefused = async (page: Page, why: string): Promise<void> => {
    await ask(page, '0.5', (await generateKeyPairSigner()).address)
    await page.click('form button[type=submit]:not([aria-disabled=true])')
    await page.click('text=Send it anyway')
    await page.locator('h2:has-text("Do not sign")').waitFor()
    expect(await page.locator('.problem').innerText()).toContain(why)
    expect(await page.locator('text=Sign in Test wallet').count()).toBe(0)
  }

  describe('the send page', () => {
    it('refuses an order for a different recipient', async () => {
      const { page, inspect } = await watchVisitor(opened().browser)
      const thief = (await generateKeyPairSigner()).address
      const sender = address(await connect(page, opened().sendUrl))
      const before = await opened().chain.balance(sender, SOL)
      // A compromised service: every response is valid, but the order pays another recipient.
      await page.route(/\/send\/api\/(quote|orders)$/, async (route) => {
        const asked = route.request().postDataJSON() as object
        await route.continue({ postData: JSON.stringify({ ...asked, recipientAddress: thief }) })
      })
      await ask(page, '0.5', (await generateKeyPairSigner()).address)
      await page.click('form button[type=submit]')
      await page.click('text=Send it anyway')
      await page.locator('h2:has-text("Do not sign")').waitFor()
      await inspect('send-8-refused')
      expect(await page.locator('.problem').innerText()).toContain('recipient')
      expect(await page.locator('text=Sign in Test wallet').count()).toBe(0)
      expect(await opened().chain.balance(sender, SOL)).toBe(before)
      await leave(page)
    })

    it('refuses an amount that was typed with wrong decimals', async () => {
      const { page } = await watchVisitor(opened().browser)
      // Simulates a compromised database with wrong decimals: a typed 50 would mean 0.05 SOL.
      await page.route(/\/send\/api\/tokens$/, async (route) => {
        const response = await route.fetch()
        const { tokens, ...rest } = (await response.json()) as { tokens: object[] }
        const json = { ...rest, tokens: tokens.map((token) => ({ ...token, decimals: 6 })) }
        await route.fulfill({ response, json })
      })
      await connect(page, opened().sendUrl)
      await ask(page, '50', (await generateKeyPairSigner()).address)
      await page.click('form button[type=submit]')
      await page.click('text=Send it anyway')
      await page.locator('h2:has-text("Do not sign")').waitFor()
      expect(await page.locator('text=Sign in Test wallet').count()).toBe(0)
      await leave(page)
    })

    it('refuses a program that was not published', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await forgeNode(page, 'getMultipleAccounts', otherProgram)
      await expectRefused(page, 'program_unknown')
      await leave(page)
    })

    it('refuses a development key on a public chain, even if the service reports another chain', async () => {
      const { page } = await watchVisitor(opened().browser)
      await connect(page, opened().sendUrl)
      await forgeNode(page, 'getGenesisHash', (answer) => ({ ...answer, result: MAINNET }))
      await expectRefused(page, 'development_key')
      await leave(page)
    })
  })

  it('shows the terms by itself after a short failure of the service', async () => {
    const { page } = await watchVisitor(opened().browser)
    await connect(page, opened().sendUrl)
    let failures = 0
    const json = { code: 'UPSTREAM_UNAVAILABLE', message: 'not now', retry: 'unchanged' }
    await page.route(/\/send\/api\/quote$/, async (route) => {
      if (failures === 2) return route.continue()
      failures += 1
      return failures === 1 ? route.fulfill({ status: 503, json }) : route.abort()
    })
    await ask(page, '0.5', (await generateKeyPairSigner()).address)
    await page.locator('.arrives:has-text("0.5 SOL")').waitFor()
    expect(failures).toBe(2)
    await leave(page)
  })
}
