import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { OpenPages } from './open-pages.ts'
import { tabTo } from './send-steps.ts'
import { leave, watchPage } from './watched-page.ts'

async function logIn(page: Page, token: string): Promise<void> {
  await page.fill('#token', token)
  await page.keyboard.press('Enter')
}

/** Checks the view that the operator sees after the transfers of the send page's tests. */
async function expectState(page: Page): Promise<void> {
  const shown = (selector: string) => page.locator(selector).innerText()
  await expect.poll(() => shown('.health')).toContain('agree')
  // One of the transfers was refunded. The page shows the alert for it, so the verdict isn't the best one. On a busy
  // machine, the page may show first that the relayers weren't checked yet.
  await expect.poll(() => shown('.health .figure')).toBe('Needs attention')
  await expect.poll(() => shown('.health')).toContain('a recipient can’t be paid')
  await expect.poll(() => shown('section:has(#relayers-title)')).toContain('Relayer 1')
  expect(await shown('section:has(#queue-title)')).toMatch(/\d+ open orders and balances/)
  const vaults = await shown('section:has(#vaults-title)')
  expect(vaults.match(/covered/g)).toHaveLength(2)
  expect(await shown('figure:has(strong:text-is("SOL"))')).toContain('2 deposits')
}

/** Checks that on a phone every verdict is visible without scrolling sideways, in the page or inside a table. */
async function expectVerdictsOnPhone(page: Page): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  const boxes = await page.locator('.verdict, .sign-word, .health .figure').evaluateAll((found) =>
    (found as unknown as Shown[]).map((one) => {
      const { left, right } = one.getBoundingClientRect()
      const clip = one.closest('.scroll')?.getBoundingClientRect() ?? { left: 0, right: 360 }
      return { left: left - clip.left, right: Math.min(clip.right, 360) - right }
    }),
  )
  expect(boxes.length).toBeGreaterThan(7)
  for (const { left, right } of boxes) expect(Math.min(left, right)).toBeGreaterThanOrEqual(0)
  if (before !== null) await page.setViewportSize(before)
}

/**
 * The members of an element that describe its position. They are declared here, because these tests have no types for
 * browsers.
 */
interface Shown {
  readonly getBoundingClientRect: () => { readonly left: number; readonly right: number }
  readonly closest: (selector: string) => Shown | null
}

type Document = Record<string, unknown> & { readonly health: Record<string, unknown> }

/** Shows the console with a changed overview, to simulate another problem. */
async function showChanged(page: Page, change: (real: Document) => object): Promise<void> {
  await page.unroute('**/api/overview')
  await page.route('**/api/overview', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as Document) })
  })
  await page.reload()
  await page.locator('.health').waitFor()
}

const alert = (code: string) => ({ kind: 'alert', code, count: 1, at: new Date().toISOString() })

/** Checks that the browser received no user's address and no transfer's amount. */
function expectNobody(received: string): void {
  const documents = received.split('\n').filter((text) => text.startsWith('{'))
  expect(documents.length).toBeGreaterThan(1)
  for (const text of documents) {
    expect(text).not.toMatch(/[1-9A-HJ-NP-Za-km-z]{32,44}/)
    expect(text).not.toContain('1496900000')
  }
}

/** Tests of the operator's console. `opened` is called after all transfers of the send page's tests. */
export function describeConsole(opened: () => OpenPages): void {
  const token = () => readFile(join(opened().folder, 'keys', 'operator-token'), 'utf8')
  const api = (name: string) => `${opened().stack.consoleUrl}/api/${name}`

  describe('the console', () => {
    it("shows the service's state, but no addresses or amounts", async () => {
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
      await expectVerdictsOnPhone(page)
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
      await leave(page)
    })

    it('shows the most serious alert first', async () => {
      const { page, inspect } = await watchPage(opened().browser)
      await page.goto(opened().stack.consoleUrl ?? '')
      await logIn(page, await token())
      await page.locator('.health').waitFor()
      const verdict = () => page.locator('.health .figure').innerText()
      const first = () => page.locator('.health li:first-child').innerText()
      await showChanged(page, (real) => ({ ...real, troubles: [] }))
      expect(await verdict()).toBe('All is well')
      // In the service's list, the least serious alert is first, and the one about a possibly stolen key is last.
      const troubles = ['history_missing', 'relayers_dry', 'deposit_terms_differ'].map(alert)
      await showChanged(page, (real) => ({ ...real, troubles }))
      expect(await verdict()).toBe('Something is wrong')
      expect(await first()).toContain('an authoriser’s key may be stolen')
      const listed = await page.locator('.troubles .code').allInnerTexts()
      expect(listed).toEqual(['deposit_terms_differ', 'relayers_dry', 'history_missing'])
      await inspect('console-4-wrong')
      await expectVerdictsOnPhone(page)
      await showChanged(page, (real) => {
        const followed = { slot: '7', at: new Date(Date.now() - 200_000).toISOString() }
        return { ...real, troubles: [], health: { ...real.health, followed } }
      })
      expect(await verdict()).toBe('Something is wrong')
      expect(await page.locator('.health').innerText()).toContain('New orders are refused: chain')
      // While there are no new responses, the page keeps showing the old figures. It must not present them as
      // healthy.
      await page.unroute('**/api/overview')
      await page.route('**/api/overview', (route) => route.abort())
      await page.locator('h2:has-text("These figures are old")').waitFor()
      expect(await verdict()).toBe('Something is wrong')
      await leave(page)
    })

    it('calls its figures old if the service never answers, as through a broken tunnel', async () => {
      const { page } = await watchPage(opened().browser)
      await page.clock.install()
      await page.goto(opened().stack.consoleUrl ?? '')
      await logIn(page, await token())
      await page.locator('.health').waitFor()
      await page.route('**/api/overview', () => new Promise(() => undefined))
      await page.clock.fastForward('01:00')
      await page.locator('h2:has-text("These figures are old")').waitFor()
      expect(await page.locator('.health .figure').innerText()).toBe('Something is wrong')
      await leave(page)
    })

    it('ignores a request that ends after a later one, or after the logout', async () => {
      const { page } = await watchPage(opened().browser)
      await page.clock.install()
      await page.goto(opened().stack.consoleUrl ?? '')
      await logIn(page, await token())
      await page.locator('.health').waitFor()
      const hung: (() => Promise<void>)[] = []
      const hangNext = async () => {
        const isHung = page.waitForRequest('**/api/overview')
        await page.route('**/api/overview', (route) => void hung.push(() => route.abort()), {
          times: 1,
        })
        await page.clock.runFor(5_000)
        await isHung
      }
      const failAll = async () => {
        for (const fail of hung.splice(0)) {
          const failed = page.waitForEvent('requestfailed')
          await fail()
          await failed
        }
        await page.evaluate('new Promise((resolve) => queueMicrotask(resolve))')
      }
      await hangNext()
      const answered = page.waitForResponse('**/api/overview')
      await page.clock.runFor(5_000)
      await (await answered).finished()
      await failAll()
      expect(await page.locator('h2:has-text("These figures are old")').count()).toBe(0)
      await hangNext()
      await page.click('text=Log out')
      await page.fill('#token', 'half of a token')
      await failAll()
      expect(await page.inputValue('#token')).toBe('half of a token')
      await leave(page)
    })

    it('shows no deposits of one range under the name of another range', async () => {
      const { page } = await watchPage(opened().browser)
      await page.route(/crowds\?range=7d$/, () => new Promise(() => undefined))
      await page.goto(opened().stack.consoleUrl ?? '')
      await logIn(page, await token())
      await page.locator('figcaption:has-text("deposits in 6 hours")').first().waitFor()
      await page.click('label:has-text("7 days")')
      await page.locator('text=Waiting for the figures').waitFor()
      expect(await page.locator('figcaption').count()).toBe(0)
      await page.click('label:has-text("24 hours")')
      await page.locator('figcaption:has-text("deposits in 24 hours")').first().waitFor()
      await leave(page)
    })

    it('refuses a login from another page', async () => {
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

    it('shows nothing without the token', async () => {
      const { page } = await watchPage(opened().browser)
      await page.goto(opened().stack.consoleUrl ?? '')
      await page.locator('#token').waitFor()
      await logIn(page, 'wrong')
      await page.locator('text=This is not the operator').waitFor()
      expect((await fetch(api('overview'))).status).toBe(401)
      expect((await fetch(api('crowds?range=6h'))).status).toBe(401)
      await leave(page)
    })
  })
}
