import type { NullifierFacts, SettledNote } from '../../../ports/settlement-chain.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Each node's own answer; nodes that don't answer are left out. */
export async function fromEach<T>(
  witnesses: readonly ChainRpc[],
  ask: (one: ChainRpc) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(witnesses.map(ask))
  return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/**
 * Compares the Nullifiers of one node's answer with the answers of all nodes. The most frequent answer counts if at
 * least two nodes agree on it. A node that shows no Nullifier may lag, so its answer isn't counted. But if only one node
 * shows the Nullifier, such an answer contradicts it.
 */
export async function witnessed(
  witnesses: readonly ChainRpc[],
  nullifiers: readonly bigint[],
  facts: NullifierFacts,
  ask: (one: ChainRpc, nullifiers: readonly bigint[]) => Promise<NullifierFacts>,
): Promise<NullifierFacts> {
  const places = facts.settled.flatMap((one, place) => (one === undefined ? [] : [place]))
  if (places.length === 0) return facts
  const shown = places.flatMap((place) => nullifiers[place] ?? [])
  const answers = await fromEach(witnesses, (one) => ask(one, shown))
  const settled = [...facts.settled]
  for (const [asked, place] of places.entries()) {
    const said = answers.flatMap((answer) => answer.settled[asked] ?? [])
    const first = facts.settled[place]
    if (first !== undefined) settled[place] = judge(first, said, answers.length)
  }
  return { ...facts, settled }
}

/**
 * The Nullifier that counts: `first` is the first node's, `said` are those of all nodes that showed one, and `answers`
 * nodes answered.
 */
function judge(first: SettledNote, said: readonly SettledNote[], answers: number): SettledNote {
  const votes = new Map<string, { readonly note: SettledNote; count: number }>()
  for (const note of said) {
    const vote = votes.get(keyOf(note)) ?? { note, count: 0 }
    vote.count += 1
    votes.set(keyOf(note), vote)
  }
  const shownAt = said.map(({ atSeconds }) => atSeconds)
  const [best, next] = [...votes.values()].sort((one, other) => other.count - one.count)
  if (best === undefined || (best.count === 1 && next === undefined)) {
    const isDisputed = best !== undefined && keyOf(best.note) !== keyOf(first)
    const isContradicted = answers > said.length
    return { ...first, isAlone: true, isContradicted, isDisputed, shownAt }
  }
  if (best.count === 1 || best.count === next?.count) {
    return { ...first, isAlone: true, isDisputed: true, shownAt }
  }
  return best.note
}

const keyOf = ({ atSeconds, rentPayer }: SettledNote): string => `${atSeconds} ${rentPayer}`
