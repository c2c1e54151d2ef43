import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { OpenPages } from './open-pages.ts'
import { tabTo } from './send-steps.ts'
import { watchPage } from './watched-page.ts'

async function logIn(page: Page, token: string): Promise<void> {
  await page.fill('#token', token)
  await page.keyboard.press('Enter')
}

/** What the operator must see after what the tests of the send page sent. */
async function expectState(page: Page): Promise<void> {
  const shown = (selector: string) => page.locator(selector).innerText()
  await expect.poll(() => shown('.health')).toContain('agree')
  expect(await shown('.health')).toContain('All is well')
  await expect.poll(() => shown('section:has(#relayers-title)')).toContain('Relayer 1')
  const vaults = await shown('section:has(#vaults-title)')
  expect(vaults.match(/covered/g)).toHaveLength(2)
  expect(await shown('figure:has(strong:text-is("SOL"))')).toContain('5 deposits')
}

/** Holds everything that the browser received: nobody's address, no transfer's amount. */
function expectNobody(received: string): void {
  const documents = received.split('\n').filter((text) => text.startsWith('{'))
  expect(documents.length).toBeGreaterThan(1)
  for (const text of documents) {
    expect(text).not.toMatch(/[1-9A-HJ-NP-Za-km-z]{32,44}/)
    expect(text).not.toContain('1496900000')
  }
}

/** The operator's console; `opened` after everything was sent that the send page's tests send. */
export function describeConsole(opened: () => OpenPages): void {
  const token = () => readFile(join(opened().folder, 'keys', 'operator-token'), 'utf8')
  const api = (name: string) => `${opened().stack.consoleUrl}/api/${name}`

  describe('the console', () => {
    it("tells a keyboard how the service stands, and nobody's addresses or amounts", async () => {
      const { page, complaints, received, inspect } = await watchPage(opened().browser)
      await page.goto(opened().stack.consoleUrl ?? '')
      await page.locator('#token').waitFor()
      await inspect('console-1-login')
      await tabTo(page, '#token')
      await page.keyboard.type(await token())
      await page.keyboard.press('Enter')
      await page.locator('canvas').first().waitFor()
      await expectState(page)
      await inspect('console-2-overview')
      expectNobody(await received())
      await page.click('text=Runbook for recipient_not_payable')
      expect(await page.locator('h1').innerText()).toBe('Runbook: recipient_not_payable')
      await inspect('console-3-runbook')
      await page.click('text=Back to the console')
      const cookies = await page.context().cookies()
      expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/console' }])
      const cookie = `${cookies[0]?.name}=${cookies[0]?.value}`
      expect((await fetch(api('overview'), { headers: { cookie } })).status).toBe(200)
      await page.click('text=Log out')
      await page.locator('#token').waitFor()
      expect((await fetch(api('overview'), { headers: { cookie } })).status).toBe(401)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    it('takes no login from another page', async () => {
      const body = JSON.stringify({ token: await token() })
      for (const headers of [
        {},
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const answer = await fetch(api('session'), {
          ...{ method: 'POST', body },
          headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
        })
        expect(answer.status).toBe(403)
      }
    })

    it('shows nothing to whoever has not the token, and stops those who guess', async () => {
      const { page } = await watchPage(opened().browser)
      await page.goto(opened().stack.consoleUrl ?? '')
      await page.locator('#token').waitFor()
      await logIn(page, 'wrong')
      await page.locator('text=This is not the operator').waitFor()
      expect((await fetch(api('overview'))).status).toBe(401)
      expect((await fetch(api('crowds?range=6h'))).status).toBe(401)
      // Another process on this machine, behind the same address: it may slip as often as anybody.
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
      const statuses: number[] = []
      for (let tries = 0; tries < 5; tries += 1) {
        const body = JSON.stringify({ token: `${tries}` })
        statuses.push((await fetch(api('session'), { method: 'POST', headers, body })).status)
      }
      expect(statuses).toEqual([401, 401, 401, 401, 429])
      await page.context().close()
    })
  })
}
