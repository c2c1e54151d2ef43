import { LEAVES_PER_PAGE } from '@sotto/contract'
import { FIELD_MODULUS } from '@sotto/protocol'
import { z } from 'zod'
import type { PublishedLeaves } from '../../ports/published-leaves.ts'
import { runBounded } from '../../running/run-bounded.ts'
import { askRemote } from '../remote/ask-remote.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'

const SERVICE = 'leaves'
const TIMEOUT_MS = 10_000
const CONCURRENCY = 8
/**
 * Maximum number of pages of one read: four million leaves. A worker reads fewer leaves even after its longest pause.
 */
const PAGES_MAX = 4_096

const Page = z.object({
  leaves: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(LEAVES_PER_PAGE),
})

/**
 * Reads leaves from a service's `/transfer/v1/leaves`, or from a folder on a web server. Each file of a folder has
 * 1,024 leaves and is named after the index of its first leaf, for example `1024.json`. Full pages stay in memory until
 * `forget` is called, so an interrupted read can continue. The last page grows, so each read requests it again.
 */
export function httpLeaves(url: string): PublishedLeaves {
  const fullPages = new Map<number, readonly bigint[]>()
  const readOne = async (first: number, least: number): Promise<readonly bigint[]> => {
    const known = fullPages.get(first)
    if (known !== undefined) return known
    const leaves = await readPage(url, first)
    if (leaves.length < least) throw new RemoteError(SERVICE, 'too_few')
    if (leaves.length === LEAVES_PER_PAGE) fullPages.set(first, leaves)
    return leaves
  }
  return {
    read: async (from, to) => {
      const start = from - (from % LEAVES_PER_PAGE)
      const count = Math.ceil((to - start) / LEAVES_PER_PAGE)
      if (count > PAGES_MAX) throw new RemoteError(SERVICE, 'too_many')
      const firsts = Array.from({ length: count }, (_, page) => start + page * LEAVES_PER_PAGE)
      // The first error ends the read. The next read needs only the pages that are still missing.
      const pages = new Map<number, readonly bigint[]>()
      await runBounded(firsts, CONCURRENCY, async (first) => {
        pages.set(first, await readOne(first, Math.min(LEAVES_PER_PAGE, to - first)))
      })
      return firsts.flatMap((first) => pages.get(first) ?? []).slice(from - start, to - start)
    },
    forget: () => fullPages.clear(),
  }
}

async function readPage(url: string, first: number): Promise<bigint[]> {
  const { status, text } = await askRemote({
    service: SERVICE,
    url: addressOf(url, first),
    timeoutMs: TIMEOUT_MS,
  })
  if (status !== 200) throw new RemoteError(SERVICE, status)
  const leaves = parseAnswer(SERVICE, Page, text).leaves.map((leaf) => BigInt(`0x${leaf}`))
  if (leaves.some((leaf) => leaf >= FIELD_MODULUS)) throw new RemoteError(SERVICE, 'not_a_leaf')
  return leaves
}

function addressOf(url: string, first: number): string {
  const place = new URL(url)
  if (place.pathname.endsWith('/leaves')) {
    place.searchParams.set('from', `${first}`)
    return place.href
  }
  return new URL(`${first}.json`, url.endsWith('/') ? url : `${url}/`).href
}
