import type { Rule, Values } from './values.ts'

type UrlsName = 'RPC_URLS' | 'SEND_RPC_URLS' | 'RECIPIENT_RPC_URLS'

/**
 * The node that a URL leads to. The user, the query and the fragment are left out, because they usually only identify
 * the caller.
 */
function nodeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

const isTwice = (places: readonly string[]): boolean => new Set(places).size < places.length

const readingOf = ({ RPC_URL, RPC_URLS }: Partial<Values>): string[] => [
  ...(RPC_URL === undefined ? [] : [RPC_URL]),
  ...(RPC_URLS ?? []),
]

/**
 * If one node were listed twice, it would count as two nodes that agree. An endpoint for sending would get each
 * transaction twice; its query may select how it sends.
 */
const distinctNodes: Rule = (all) => {
  const sending = (all.SEND_RPC_URLS ?? []).map((url) => new URL(url).href)
  const recipients = (all.RECIPIENT_RPC_URLS ?? []).map(nodeOf)
  const lists: readonly (readonly [UrlsName, readonly string[], string])[] = [
    ['RPC_URLS', readingOf(all).map(nodeOf), 'name each node once, SOTTO_RPC_URL included'],
    ['SEND_RPC_URLS', sending, 'name each endpoint once'],
    ['RECIPIENT_RPC_URLS', recipients, 'name each node once'],
  ]
  const twice = lists.filter(([, places]) => isTwice(places))
  return twice.map(([name, , fix]) => ({ name, problem: 'names a node twice', fix }))
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
