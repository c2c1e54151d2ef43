import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Presses Tab until the element has the focus, as a person without a mouse would. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.locator(selector).first().evaluate(hasFocus)) return
  }
  throw new Error(`Tab never reaches ${selector}`)
}

const hasFocus = (element: object): boolean =>
  (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement === element

/** Connects the test wallet, and returns its address. */
export async function connect(page: Page, sendUrl: string): Promise<string> {
  await page.goto(sendUrl)
  await page.click('text=Connect Test wallet')
  return connected(page)
}

export async function connected(page: Page): Promise<string> {
  const chip = page.locator('.chip [title]')
  await chip.waitFor()
  return (await chip.getAttribute('title')) ?? ''
}

/** Fills in the form and waits for the price. */
export async function ask(page: Page, amount: string, recipient: string): Promise<void> {
  await page.fill('#amount', amount)
  await page.fill('#recipient', recipient)
  await page.locator('.arrives').waitFor()
}

/**
 * Continues from the form to the view before signing, with the second confirmation that a transfer without privacy
 * needs.
 */
export async function prepare(page: Page): Promise<void> {
  await page.click('form button[type=submit]:not([aria-disabled=true])')
  await page.locator('h1:has-text("Anyone can link")').waitFor()
  await page.click('text=Send it anyway')
  await page.locator('h1:has-text("Check and sign")').waitFor()
}

/** Saves the ticket, and returns the path and the text of the file. */
export async function saveTicket(page: Page): Promise<{ path: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('text=Save the recovery ticket'),
  ])
  const path = await download.path()
  return { path, text: await readFile(path, 'utf8') }
}

export const sign = (page: Page): Promise<void> =>
  page.click('button:has-text("Sign in"):not([aria-disabled=true])')

/** Takes every step from the form to the end, as a person would. */
export async function sendAll(page: Page): Promise<void> {
  await prepare(page)
  await saveTicket(page)
  await sign(page)
  await page.locator('h1:has-text("Delivered")').waitFor()
}
