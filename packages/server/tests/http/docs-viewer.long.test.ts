import { OPERATIONS } from '@sotto/contract'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { findBrowser } from '../../../../testing/browser/find-browser.ts'

/** A service without use cases. The pages need none. */
const app = createServer({
  useCases: {} as never,
  clock: systemClock,
  random: systemRandom,
  log: pinoLog('info', { write: () => undefined }),
  rateLimit: { perSecond: 1_000, burst: 1_000 },
})
let baseUrl = ''
beforeAll(async () => {
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const PAGES = ['/docs', '/docs/errors', '/docs/errors/QUOTE_MISMATCH']

describe('the pages without a browser', () => {
  it.each(PAGES)('%s links only to existing files of this service', async (path) => {
    const page = await fetch(baseUrl + path)
    const html = await page.text()
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+=/)
    const names = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(1)
    for (const name of names.filter((one) => one !== 'data:,')) {
      expect(name).toMatch(/^\/[^/]/)
      expect([name, (await fetch(baseUrl + name)).status]).toEqual([name, 200])
    }
  })

  it.each([...PAGES, '/docs/viewer/swagger-ui-bundle.js'])(
    '%s has a strict content security policy',
    async (path) => {
      const { headers } = await fetch(baseUrl + path)
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('files of the viewer are sent again only after a change', async () => {
    const url = `${baseUrl}/docs/viewer/swagger-ui.css`
    const etag = (await fetch(url)).headers.get('etag')!
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })
})

const executablePath = findBrowser()
// In CI, a missing browser makes the test fail, because a skipped test would look like a success.
const isSkipped = executablePath === undefined && process.env['CI'] === undefined

describe.skipIf(isSkipped)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error('there is no Chromium on the PATH')
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath, args })
  })
  afterAll(() => browser?.close())

  /** Opens a page. Returns it together with a list of the page's policy violations. */
  async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
    const complaints: string[] = []
    const page = await browser.newPage()
    page.setDefaultTimeout(HUNG_MS)
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${baseUrl}/`) && !url.startsWith('data:')) complaints.push(url)
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    // The browser reports violations of the content security policy in the console.
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(baseUrl + path, { waitUntil: 'networkidle' })
    return { page, complaints }
  }

  it('/docs lists every operation and sends no request elsewhere', async () => {
    const { page, complaints } = await open('/docs')
    const operations = page.locator('.opblock')
    await operations.first().waitFor()
    const count = await operations.count()
    // The event stream and the webhook message are listed in addition to the operations.
    expect(count).toBe(Object.keys(OPERATIONS).length + 2)
    for (let index = 0; index < count; index += 1) {
      const operation = operations.nth(index)
      await operation.locator('.opblock-summary-control').click()
      await operation.locator('.responses-wrapper').waitFor()
    }
    expect(await page.textContent('body')).toContain('X-Idempotency-Key')
    expect(complaints).toEqual([])
    await page.close()
  })

  it.each(PAGES.slice(1))('%s sends no request elsewhere', async (path) => {
    const { page, complaints } = await open(path)
    expect(await page.textContent('h1')).not.toBe('')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('a page that sends a request elsewhere is detected and blocked', async () => {
    const { page, complaints } = await open('/docs/errors')
    await page.evaluate(`new Promise((done) => {
      const image = new Image()
      image.onload = image.onerror = done
      image.src = 'http://198.51.100.1/pixel.png'
    })`)
    expect(complaints.join('\n')).toContain('Content Security Policy')
    await page.close()
  })
})
