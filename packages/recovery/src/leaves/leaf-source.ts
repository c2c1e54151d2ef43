import { FIELD_MODULUS } from '@sotto/protocol'
import { inParallel } from '../in-parallel.ts'

/** Number of leaves on a full page. */
export const LEAVES_PER_PAGE = 1_024

/**
 * Returns leaves of the pool, starting with the leaf at index `from`: at most one page, or an empty list if there are
 * none. The result is checked against the chain's root, so the source need not be trusted.
 */
export type LeafSource = (from: number) => Promise<readonly bigint[]>

const PATIENCE_MS = 10_000
/** Maximum size of a response in bytes. It is larger than any page of leaves. */
const PAGE_BYTES_MAX = 1_000_000
const LEAF = /^[0-9a-f]{64}$/

/**
 * Reads published leaves. The URL points to a service's `/transfer/v1/leaves` or to a folder. In a folder, each file
 * has 1,024 leaves, and the last file may have fewer. A file is named after the index of its first leaf, such as
 * `1024.json`.
 *
 * @throws Error that names the fault of the response.
 */
export function publishedLeaves(url: string, fetcher: typeof fetch = fetch): LeafSource {
  const isService = /\/leaves$/.test(new URL(url).pathname)
  const folder = url.endsWith('/') ? url : `${url}/`
  const read = async (place: URL): Promise<bigint[] | undefined> => {
    const response = await fetcher(place, { signal: AbortSignal.timeout(PATIENCE_MS) })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${place.origin} answered with status ${response.status}`)
    return pageIn(await readText(response))
  }
  if (isService) {
    return async (from) => {
      const place = new URL(url)
      place.searchParams.set('from', `${from}`)
      return (await read(place)) ?? []
    }
  }
  return pagedSource((first) => read(new URL(`${first}.json`, folder)))
}

/** A source that reads the whole page with the wanted leaf, and returns that leaf and the page's later leaves. */
export function pagedSource(
  readPage: (first: number) => Promise<readonly bigint[] | undefined>,
): LeafSource {
  return async (from) => {
    const first = from - (from % LEAVES_PER_PAGE)
    const page = (await readPage(first)) ?? []
    return page.slice(from - first)
  }
}

/** A source whose leaves are all in memory. */
export const heldLeaves =
  (leaves: readonly bigint[]): LeafSource =>
  (from) =>
    Promise.resolve(leaves.slice(from, from + LEAVES_PER_PAGE))

/** Reads a response, at most `PAGE_BYTES_MAX` bytes of it. @throws Error if the response is larger. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) return text + decoder.decode()
    bytes += value.length
    if (bytes > PAGE_BYTES_MAX) {
      await reader?.cancel()
      throw new Error('a page of leaves is too large')
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Parses a page of leaves from JSON. @throws Error if the text isn't such a page. */
export function pageIn(text: string): bigint[] {
  const page = JSON.parse(text) as { readonly leaves?: unknown }
  const { leaves } = page
  const isPage =
    Array.isArray(leaves) &&
    leaves.length <= LEAVES_PER_PAGE &&
    leaves.every((leaf) => typeof leaf === 'string' && LEAF.test(leaf))
  if (!isPage) throw new Error('the answer is not a page of leaves')
  const numbers = leaves.map((leaf) => BigInt(`0x${leaf as string}`))
  if (numbers.some((leaf) => leaf >= FIELD_MODULUS)) throw new Error('a leaf is not in the field')
  return numbers
}

/** Maximum number of pages that are read at the same time. */
const WIDTH = 8

/** Reads up to `count` leaves, starting with the first leaf of the tree. @throws the source's error. */
export async function readSource(source: LeafSource, count: number): Promise<bigint[]> {
  const starts = Array.from(
    { length: Math.ceil(count / LEAVES_PER_PAGE) },
    (_, page) => page * LEAVES_PER_PAGE,
  )
  let isOver = false
  const pages = await inParallel(starts, WIDTH, async (start) => {
    if (isOver) return []
    const page = await source(start)
    isOver ||= page.length < LEAVES_PER_PAGE
    return page.slice(0, LEAVES_PER_PAGE)
  })
  const end = pages.findIndex(({ length }) => length < LEAVES_PER_PAGE)
  const whole = end < 0 ? pages : pages.slice(0, end + 1)
  return whole.flat().slice(0, count)
}
