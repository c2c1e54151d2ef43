import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { HUNG_MS } from '../../../testing/patience/hung.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = fileURLToPath(new URL('../../../docs/web/', import.meta.url))
/** Run `DRAW_PAGES=1 npm test -- packages/web` to write the pictures of docs/web.md. */
const isDrawing = process.env['DRAW_PAGES'] === '1'
const DESKTOP = { width: 1120, height: 760 }
const PHONE = { width: 360, height: 740 }

/** A page that records its errors, policy violations and accessibility problems. */
export interface WatchedPage {
  readonly page: Page
  /** All errors, violations of the content policy, and requests to other sites so far. */
  readonly complaints: readonly string[]
  /** All text that the browser has received. */
  readonly received: () => Promise<string>
  /**
   * Checks the current view on a desktop in light colours, and on a phone in dark colours. The view must be accessible,
   * and nothing may scroll sideways. If pictures are drawn, `name` is the picture's name.
   */
  readonly inspect: (name: string) => Promise<void>
}

let visitors = 0

/**
 * Opens a page for a visitor with its own IP address. The page's requests contain the address in the header that a
 * proxy would set.
 */
export function watchVisitor(browser: Browser): Promise<WatchedPage> {
  visitors += 1
  return watchPage(browser, { extraHTTPHeaders: { 'x-forwarded-for': `10.0.0.${visitors}` } })
}

export async function watchPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  // Turn animations off, because endless animations would keep a processor busy while a page waits.
  const still = { viewport: DESKTOP, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...still, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(HUNG_MS)
  const complaints: string[] = []
  const texts: Promise<string>[] = []
  const origins = new Set<string>()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself logs each refused request. Ignore that, because the page explains the refusal.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() !== 'log' && !isRefusal) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol === 'http:' || url.protocol === 'https:') origins.add(url.origin)
    if (origins.size > 1) complaints.push(`asked ${url.origin}`)
  })
  page.on('response', (response) => texts.push(response.text().catch(() => '')))
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(globalThis, { violations })
    const told = (event: unknown) => {
      const { violatedDirective, blockedURI } = event as Record<string, string>
      violations.push(`${violatedDirective} ${blockedURI}`)
    }
    const { addEventListener } = globalThis as {
      addEventListener?: (name: string, told: unknown) => void
    }
    addEventListener?.('securitypolicyviolation', told)
  })
  return {
    page,
    complaints,
    received: async () => (await Promise.all(texts)).join('\n'),
    inspect: (name) => inspect(page, name),
  }
}

/** Closes a page with its browser context. If a test is changing a response at that moment, closing causes no error. */
export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}

async function inspect(page: Page, name: string): Promise<void> {
  const found: string[] = await page.evaluate('globalThis.violations ?? []')
  expect(found, 'violations of the content policy').toEqual([])
  await page.evaluate(AXE)
  const own = page.viewportSize() ?? DESKTOP
  for (const [colorScheme, size] of [
    ['light', DESKTOP],
    ['dark', PHONE],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    expect(await complaintsOfAxe(page), `${name}, ${colorScheme}, ${size.width} px`).toEqual([])
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width, `${name} at ${size.width} px`).toBeLessThanOrEqual(size.width)
    await draw(page, `${name}-${size === PHONE ? 'phone-dark' : 'desktop-light'}`)
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(own)
}

async function complaintsOfAxe(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  }>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.map(({ id, nodes }) => {
    const [first] = nodes
    return `${id}: ${first?.html ?? ''} ${first?.failureSummary ?? ''}`
  })
}

async function draw(page: Page, name: string): Promise<void> {
  if (!isDrawing) return
  await mkdir(PICTURES, { recursive: true })
  await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true })
}
