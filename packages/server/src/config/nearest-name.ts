/**
 * The edit distance of two words: the smallest number of changes that turn one word into the other. A change inserts,
 * deletes or replaces one letter, or swaps two neighbouring letters.
 */
function distance(left: string, right: string): number {
  // Distances between the first `i` letters of one word and the first `j` letters of the other.
  const known = new Map<string, number>()
  const at = (i: number, j: number): number => {
    if (i < 0 || j < 0) return Infinity
    return i === 0 || j === 0 ? i + j : (known.get(`${i} ${j}`) ?? Infinity)
  }
  for (let i = 1; i <= left.length; i += 1) {
    for (let j = 1; j <= right.length; j += 1) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1
      const isSwapped = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change, swapped)
      known.set(`${i} ${j}`, least)
    }
  }
  return at(left.length, right.length)
}

/** If more than this share of the letters must change, the names are too different for a suggestion. */
const FAR = 0.4

/** Returns the known name that was probably meant, or undefined if no name is similar enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, away: distance(name, one) }))
    .sort((left, right) => left.away - right.away)
  return nearest !== undefined && nearest.away <= Math.ceil(name.length * FAR)
    ? nearest.one
    : undefined
}
