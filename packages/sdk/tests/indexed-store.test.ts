import { build } from 'esbuild'
import { createServer, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../../../testing/browser/find-browser.ts'

const executablePath = findBrowser()
/** CI has a browser, so in CI these tests must not be skipped. */
const isWithoutBrowser = executablePath === undefined && process.env['CI'] === undefined

/** Serves a page with a global `sotto`, which is the SDK's entry point for balances. */
async function serveBalances(): Promise<Server> {
  const entry = fileURLToPath(new URL('../balance.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    define: { 'process.env.NODE_ENV': '"production"' },
    ...{ bundle: true, format: 'iife', globalName: 'sotto', platform: 'browser', write: false },
  })
  const script = outputFiles[0]!.text
  const server = createServer((request, response) => {
    const isScript = request.url === '/sotto.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script src="/sotto.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe.skipIf(isWithoutBrowser)("a balance in a browser's IndexedDB", () => {
  let server: Server
  let folder: string
  let context: BrowserContext
  let page: Page
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  /** Starts the browser with the same profile, as a restart would. */
  async function launch(): Promise<void> {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    context = await chromium.launchPersistentContext(folder, {
      executablePath: executablePath!,
      args,
    })
    page = await context.newPage()
    await page.goto(url())
  }
  /** The result of an expression that runs in the page, or the name of its error. */
  const run = (expression: string, where = page): Promise<unknown> =>
    where.evaluate(`Promise.resolve(${expression}).catch((error) => error.name)`)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-indexed-'))
    server = await serveBalances()
    await launch()
  })
  afterAll(async () => {
    await context?.close()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('refuses to replace what another tab has written', async () => {
    expect(await run("sotto.indexedBalance('one').read()")).toBeUndefined()
    await run("sotto.indexedBalance('one').write('first', undefined)")
    await run("sotto.indexedBalance('one').write('second', 'first')")
    for (const before of ["'first'", 'undefined']) {
      const refused = await run(`sotto.indexedBalance('one').write('third', ${before})`)
      expect(refused).toBe('BalanceTakenError')
    }
    expect(await run("sotto.indexedBalance('one').read()")).toBe('second')
  })

  it('takes one of two writes that two tabs make at the same time', async () => {
    const other = await context.newPage()
    await other.goto(url())
    for (let round = 0; round < 20; round += 1) {
      const name = `race-${round}`
      await run(`sotto.indexedBalance('${name}').write('before', undefined)`)
      const write = (text: string, where: Page) =>
        run(
          `sotto.indexedBalance('${name}').write('${text}', 'before').then(() => '${text}')`,
          where,
        )
      const outcomes = await Promise.all([write('one', page), write('other', other)])
      expect(outcomes).toContain('BalanceTakenError')
      const winner = outcomes.filter((outcome) => outcome !== 'BalanceTakenError')
      expect(winner).toHaveLength(1)
      expect(await run(`sotto.indexedBalance('${name}').read()`)).toBe(winner[0])
    }
    await other.close()
  })

  it('lists its names, and deletes one balance without touching the others', async () => {
    for (const name of ['kept', 'gone']) {
      await run(`sotto.indexedBalance('${name}').write('text of ${name}', undefined)`)
    }
    expect(await run('sotto.indexedBalanceNames()')).toEqual(
      expect.arrayContaining(['gone', 'kept']) as string[],
    )
    await run("sotto.forgetIndexedBalance('gone')")
    expect(await run("sotto.indexedBalance('gone').read()")).toBeUndefined()
    expect(await run("sotto.indexedBalance('kept').read()")).toBe('text of kept')
    expect(await run('sotto.indexedBalanceNames()')).not.toContain('gone')
  })

  it('keeps what was written when the browser is closed and started again', async () => {
    await run("sotto.indexedBalance('durable').write('held', undefined)")
    await context.close()
    await launch()
    expect(await run("sotto.indexedBalance('durable').read()")).toBe('held')
  })

  it('fails with advice if there is no IndexedDB', async () => {
    const without =
      '(() => { try { sotto.indexedBalance("x", undefined) } catch (e) { return e.message } })()'
    const hidden = `(() => { Object.defineProperty(globalThis, 'indexedDB', { value: undefined }); return ${without} })()`
    expect(await page.evaluate(hidden)).toContain('provide your own balance store')
  })
})
