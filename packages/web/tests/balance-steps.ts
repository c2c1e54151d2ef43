import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { connect } from './send-steps.ts'

/** Waits for an element. If it doesn't appear, the error describes what the page shows instead. */
async function waitFor(page: Page, selector: string): Promise<void> {
  try {
    await page.locator(selector).waitFor()
  } catch (cause) {
    throw new Error(`${selector} did not appear. The page shows: ${await shown(page)}`, { cause })
  }
}
export const heading = (page: Page, text: string): Promise<void> =>
  waitFor(page, `h1:has-text("${text}")`)
export const shown = (page: Page, selector = 'main'): Promise<string> =>
  page.locator(selector).innerText()

/** Connects the test wallet and shows the balances; returns the wallet's address. */
export async function openBalances(page: Page, sendUrl: string): Promise<string> {
  const wallet = await connect(page, sendUrl)
  await page.click('nav button:has-text("Balances")')
  await heading(page, 'Your balances')
  return wallet
}

/** Fills in the form of a new balance, and continues to the view that saves the file. */
export async function prepareTopUp(
  page: Page,
  amount: string,
  life: 'day' | 'week' | 'month' = 'month',
): Promise<void> {
  await page.click('text=Pay into a new balance')
  await page.fill('#top-up-amount', amount)
  await page.check(`[name=life][value=${life}]`)
  await page.click('form button[type=submit]:not([aria-disabled=true])')
  await heading(page, 'Save the file, then sign')
}

export interface BalanceFile {
  readonly path: string
  readonly name: string
  /** The line in the file. */
  readonly ticket: string
}

/** Saves the balance's file. */
export async function saveBalanceFile(page: Page): Promise<BalanceFile> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('button:has-text("Save the balance file")'),
  ])
  const path = await download.path()
  const text = await readFile(path, 'utf8')
  return { path, name: download.suggestedFilename(), ticket: text.trim() }
}

/** Saves the file, confirms it, signs, and waits until the balance is open. */
export async function payIn(page: Page, amount: string): Promise<BalanceFile> {
  const file = await saveBalanceFile(page)
  await page.check('.ticket .check input')
  await page.click('button:has-text("Sign in"):not([aria-disabled=true])')
  await heading(page, `${amount} SOL left`)
  return file
}

/** Fills in a payment and waits for its price. The page shows no price before the balance's deposit is final. */
export async function askPayment(page: Page, amount: string, recipient: string): Promise<void> {
  await waitFor(page, '#pay-amount')
  await page.fill('#pay-amount', amount)
  await page.fill('#recipient', recipient)
  await waitFor(page, '.arrives')
}

export const sendNow = (page: Page): Promise<void> => page.click('text=Send now, easy to link')

/** The first amount in a text, in lamports. */
export function lamportsIn(text: string): bigint {
  const [, whole = '', fraction = ''] =
    /(\d+)(?:\.(\d+))? SOL/.exec(text.replaceAll('\u202f', '')) ?? []
  return BigInt(whole + fraction.padEnd(9, '0'))
}

/** Records everything that the pages of a browser context send: URLs, bodies and headers. */
export function everythingSent(context: BrowserContext): () => string {
  const sent: string[] = []
  context.on('request', (request) => {
    sent.push(decodeURIComponent(request.url()), request.postData() ?? '')
    sent.push(JSON.stringify(request.headers()))
  })
  return () => sent.join('\n')
}
