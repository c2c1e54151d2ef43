import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { Chain } from '../../../demo/src/chain.ts'
import type { LocalStack } from '../../../demo/src/stack/local-stack.ts'
import type { ServerEnvironment } from '../../../demo/src/stack/services.ts'
import { findBrowser } from '../../../testing/browser/find-browser.ts'
import { openQuickStack } from '../../../testing/stage/quick-stack.ts'

/** A chain, the service with its pages, and a browser. */
export interface OpenPages {
  readonly stack: LocalStack
  readonly chain: Chain
  readonly browser: Browser
  readonly folder: string
  readonly sendUrl: string
  /** A secret that must never reach a browser. */
  readonly apiKey: string
  readonly close: () => Promise<void>
}

const SETTINGS = {
  // Enables recipients that force an outcome: docs/test-mode.md.
  SOTTO_TEST_MODE: 'true',
  SOTTO_DELAY_MIN_SECONDS: '1',
  SOTTO_DELAY_MAX_SECONDS: '2',
  // With this setting, each visitor has its own IP address and its own limits.
  SOTTO_TRUSTED_PROXIES: '127.0.0.1',
}

/** Starts two processes and a browser, once for all tests of the pages. `settings` are the service's settings. */
export async function openPages(settings: ServerEnvironment = {}): Promise<OpenPages> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('there is no Chromium on the PATH')
  const folder = await mkdtemp(join(tmpdir(), 'sotto-pages-'))
  const stack = await openQuickStack({
    folder,
    settings: { ...SETTINGS, ...settings },
    withPages: true,
  })
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args })
  return {
    ...{ stack, browser, folder },
    chain: new Chain(stack.rpcUrl),
    sendUrl: stack.sendUrl ?? '',
    apiKey: stack.setup.sendPageKey,
    close: async () => {
      await browser.close()
      await stack.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * True if there is no browser and the tests may be skipped. In CI they are never skipped, so they fail there
 * if the browser is missing.
 */
export const isWithoutBrowser = findBrowser() === undefined && process.env['CI'] === undefined
