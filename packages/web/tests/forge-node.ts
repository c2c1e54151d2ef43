import type { Page } from 'playwright-core'

/** Genesis hash of Solana's mainnet. */
export const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

export interface NodeAnswer {
  readonly result: unknown
}

/** Changes the responses of the page's node to one method. */
export async function forgeNode(
  page: Page,
  method: string,
  forge: (answer: NodeAnswer) => NodeAnswer,
): Promise<void> {
  await page.route(/\/send\/api\/node$/, async (route) => {
    const asked = route.request().postDataJSON() as { method: string }
    if (asked.method !== method) return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ response, json: forge((await response.json()) as NodeAnswer) })
  })
}
