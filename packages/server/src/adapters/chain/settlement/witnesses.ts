import type { NullifierFacts, SettledNote } from '../../../ports/settlement-chain.ts'
import type { DepositIndex } from '../../../ports/read-deposit-indexes.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Asks every node. Returns the answers, without the nodes that failed. */
export async function fromEach<T>(
  witnesses: readonly ChainRpc[],
  ask: (one: ChainRpc) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(witnesses.map(ask))
  return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/**
 * Asks every node for two kinds of Order accounts: those that the first node lacks, and those that it shows with an
 * index that `isOwn` refuses. If any node shows the account, the account exists. If fewer than two nodes answer, and no
 * node shows the account, it may still exist, because the first node may hide it. @param isOwn true if the order at
 * this place of `orderIds` may have this index.
 */
export async function witnessedIndexes(
  witnesses: readonly ChainRpc[],
  orderIds: readonly Uint8Array[],
  indexes: readonly (number | undefined)[],
  ask: (one: ChainRpc, orderIds: readonly Uint8Array[]) => Promise<(number | undefined)[]>,
  isOwn: (place: number, index: number) => boolean = () => true,
): Promise<DepositIndex[]> {
  const isRight = (index: number | undefined, place: number) =>
    index !== undefined && isOwn(place, index)
  const lacked = orderIds.filter((_, place) => !isRight(indexes[place], place))
  if (lacked.length === 0) return [...indexes]
  const answers = await fromEach(witnesses, (one) => ask(one, lacked))
  const missing = answers.length < 2 ? 'unconfirmed' : undefined
  let asked = 0
  return indexes.map((index, place) => {
    if (isRight(index, place)) return index
    const at = asked++
    const shown = answers.flatMap((answer) => answer[at] ?? [])
    return shown.find((one) => isOwn(place, one)) ?? index ?? shown[0] ?? missing
  })
}

/**
 * Compares the Nullifier accounts in the first node's answer with the answers of all nodes. Two versions of a Nullifier
 * differ in their time or rent payer. A version is confirmed if at least two nodes show it, and if no other version
 * is shown by as many nodes. Otherwise the Nullifier is marked with `isAlone`. A node without the Nullifier may lag, so
 * it has no vote. But if only one node shows the Nullifier, and another node answered without it, `isContradicted` is
 * true.
 *
 * All nodes are asked for the Nullifiers that the first node shows, and for the nullifiers in `inTree`. So the first
 * node alone can't hide a settlement that the tree contains.
 */
export async function witnessed(
  witnesses: readonly ChainRpc[],
  nullifiers: readonly bigint[],
  facts: NullifierFacts,
  ask: (one: ChainRpc, nullifiers: readonly bigint[]) => Promise<NullifierFacts>,
  inTree: readonly bigint[] = [],
): Promise<NullifierFacts> {
  const isPublic = (one: SettledNote | undefined, place: number) =>
    one !== undefined || inTree.some((nullifier) => nullifier === nullifiers[place])
  const places = facts.settled.flatMap((one, place) => (isPublic(one, place) ? [place] : []))
  if (places.length === 0) return facts
  const shown = places.flatMap((place) => nullifiers[place] ?? [])
  const answers = await fromEach(witnesses, (one) => ask(one, shown))
  const settled = [...facts.settled]
  for (const [asked, place] of places.entries()) {
    const said = answers.flatMap((answer) => answer.settled[asked] ?? [])
    settled[place] = judge(facts.settled[place], said, answers.length)
  }
  return { ...facts, settled }
}

/**
 * Chooses one version of a Nullifier; undefined if no node shows this Nullifier. `first` is the version in the first
 * node's answer. `said` has the version of each node that shows the Nullifier. `answers` is the number of nodes that
 * answered.
 */
function judge(
  first: SettledNote | undefined,
  said: readonly SettledNote[],
  answers: number,
): SettledNote | undefined {
  const votes = new Map<string, { readonly note: SettledNote; count: number }>()
  for (const note of said) {
    const vote = votes.get(keyOf(note)) ?? { note, count: 0 }
    vote.count += 1
    votes.set(keyOf(note), vote)
  }
  const shownAt = said.map(({ atSeconds }) => atSeconds)
  const [best, next] = [...votes.values()].sort((one, other) => other.count - one.count)
  const shown = first ?? best?.note
  if (shown === undefined) return undefined
  if (best === undefined || (best.count === 1 && next === undefined)) {
    const isDisputed = best !== undefined && keyOf(best.note) !== keyOf(shown)
    const isContradicted = first === undefined || answers > said.length
    return { ...shown, isAlone: true, isContradicted, isDisputed, shownAt }
  }
  if (best.count === 1 || best.count === next?.count) {
    return { ...shown, isAlone: true, isDisputed: true, shownAt }
  }
  return best.note
}

const keyOf = ({ atSeconds, rentPayer }: SettledNote): string => `${atSeconds} ${rentPayer}`
