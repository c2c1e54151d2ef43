import type { Rule, Values } from './values.ts'

type UrlsName = 'RPC_URLS' | 'SEND_RPC_URLS' | 'RECIPIENT_RPC_URLS'

const isTwice = (urls: readonly string[]): boolean =>
  new Set(urls.map((url) => new URL(url).href)).size < urls.length

const readingOf = ({ RPC_URL, RPC_URLS }: Partial<Values>): string[] => [
  ...(RPC_URL === undefined ? [] : [RPC_URL]),
  ...(RPC_URLS ?? []),
]

/**
 * If one node were listed twice, it would count as two nodes that agree. An endpoint for sending would get each
 * transaction twice.
 */
const distinctNodes: Rule = (all) => {
  const lists: readonly (readonly [UrlsName, readonly string[], string])[] = [
    ['RPC_URLS', readingOf(all), 'name each node once, SOTTO_RPC_URL included'],
    ['SEND_RPC_URLS', all.SEND_RPC_URLS ?? [], 'name each endpoint once'],
    ['RECIPIENT_RPC_URLS', all.RECIPIENT_RPC_URLS ?? [], 'name each node once'],
  ]
  const twice = lists.filter(([, urls]) => isTwice(urls))
  return twice.map(([name, , fix]) => ({ name, problem: 'names a node twice', fix }))
}

/**
 * The node that a URL leads to. The user, the query and the fragment are left out, because they usually only identify
 * the caller.
 */
function nodeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/**
 * Separate nodes for recipients prevent any node from learning which recipient belongs to which deposit. A node in both
 * lists would learn it, although the operator expects that no node learns it.
 */
const separateRecipients: Rule = (all) => {
  const reading = new Set(readingOf(all).map(nodeOf))
  if (!(all.RECIPIENT_RPC_URLS ?? []).some((url) => reading.has(nodeOf(url)))) return []
  const problem =
    'names a node of SOTTO_RPC_URL or SOTTO_RPC_URLS, which would learn which recipient belongs to which deposit'
  const fix = 'name nodes of another provider or your own, or remove this setting'
  return [{ name: 'RECIPIENT_RPC_URLS', problem, fix }]
}

export const nodeRules: readonly Rule[] = [distinctNodes, separateRecipients]
