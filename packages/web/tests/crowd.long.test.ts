import { NATIVE_MINT } from '@sotto/protocol'
import { createSottoClient, type SottoClient } from '@sotto/sdk/server'
import { generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localTreasury } from '../../../demo/src/stack/local-treasury.ts'
import { isWithoutBrowser, openPages, type OpenPages } from './open-pages.ts'
import { ask, connect, saveTicket, sign } from './send-steps.ts'
import { leave, watchVisitor } from './watched-page.ts'

/** The delays of a real service. With these delays, payments wait long enough to hide one another. */
const REAL_DELAYS = {
  SOTTO_DELAY_MIN_SECONDS: '0',
  SOTTO_DELAY_MEAN_SECONDS: '300',
  SOTTO_DELAY_MAX_SECONDS: '1800',
}
/**
 * Number of other senders. Even a small crowd needs twelve senders, because the service counts each deposit in a new
 * pool as a transfer only with a probability of one half.
 */
const OTHERS = 12
const ONE_SOL = 1_000_000_000n

let pages: OpenPages
let client: SottoClient
const newRecipient = async () => (await generateKeyPairSigner()).address

/** The request that the page sends for a quote for one SOL to a new wallet. */
const requestOf = async (senderAddress: string) => ({
  ...{ amount: `${ONE_SOL}`, mode: 'exact_out' as const },
  ...{ sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
  ...{ senderAddress, recipientAddress: await newRecipient() },
})

/** Sends one SOL from the wallet of another person. */
async function sendAsAnother(): Promise<void> {
  const { chain, stack } = pages
  const sender = await generateKeyPairSigner()
  await localTreasury(chain, stack.rpcUrl).fund(sender.address, 2n * ONE_SOL)
  const request = await requestOf(sender.address)
  const { quote } = await client.quote(request)
  const { senderAddress, recipientAddress } = request
  const order = await client.createOrder({ quote, senderAddress, recipientAddress })
  const { wire, signature } = await chain.sign(order.transaction, sender)
  await chain.submit(wire)
  if (await chain.confirm(signature)) throw new Error('a deposit failed on chain')
}

/** The size of the anonymity set that the service currently states for one SOL. */
async function statedSet(): Promise<number> {
  const { privacy } = await client.quote(await requestOf(await newRecipient()))
  return privacy.anonymitySet
}

describe.skipIf(isWithoutBrowser)('the send page while other people send one SOL each', () => {
  beforeAll(async () => {
    pages = await openPages(REAL_DELAYS)
    const { baseUrl, setup } = pages.stack
    client = createSottoClient({ baseUrl, apiKey: setup.apiKey })
    await Promise.all(Array.from({ length: OTHERS }, sendAsAnother))
  })
  afterAll(() => pages?.close())

  it('suggests an amount that others send, and states the chance of a link', async () => {
    await expect.poll(statedSet).toBeGreaterThan(1)
    const { page, complaints, inspect } = await watchVisitor(pages.browser)
    await connect(page, pages.sendUrl)
    await ask(page, '0.9', await newRecipient())
    const crowd = () => page.locator('.crowd').innerText()
    expect(await crowd()).toContain('Anyone who reads the public blockchain: yes')
    await inspect('send-13-odd')
    await page.click('.suggestions .pill:has-text("1 SOL"):has-text("at least")')
    await page.locator('.crowd-head:has-text("One of")').waitFor()
    expect(await crowd()).toMatch(/blockchain: with a chance of \d+ %/)
    expect(await crowd()).toContain('What helps?')
    await inspect('send-14-crowd')
    await page.click('form button[type=submit]:not([aria-disabled=true])')
    await page.locator('h1:has-text("Check and sign")').waitFor()
    expect(await crowd()).toMatch(/blockchain: with a chance of \d+ %/)
    await inspect('send-15-crowd-check')
    await saveTicket(page)
    await sign(page)
    await page.locator('.stages .done:has-text("Paid")').waitFor()
    expect(complaints).toEqual([])
    await leave(page)
  })
})
