import type { Finding, TidyCheck, Tree, TreeFile } from '../tree.ts'

const page = 'docs/invariants.md'

// A test is named by its file and, in double quotes after it, its title:
// `program/tests/settle.test.ts` "a note is settled once"
const reference = /`([\w./-]+\.(?:test\.ts|rs))`(?:\s*[:,]?\s*"([^"]+)")?/g

export const invariantTests: TidyCheck = {
  name: 'invariant-tests',
  why: `An invariant without a test is a wish. ${page} names for each a file and, in quotes, a test in it.`,
  run: (tree) => {
    const file = tree.files.find((candidate) => candidate.path === page)
    if (file === undefined) return [{ path: page, problem: 'is missing' }]
    const invariants = invariantsOf(file)
    if (invariants.length === 0)
      return [{ path: page, problem: 'has no invariant, such as "## I1"' }]
    return invariants.flatMap((invariant) => untested(tree, invariant))
  },
}

type Invariant = { name: string; line: number; text: string }

/** Each starts with its number: as a heading, the first cell of a row, or a list item. */
function invariantsOf(file: TreeFile): Invariant[] {
  const found: Invariant[] = []
  for (const [index, line] of file.text.split('\n').entries()) {
    const start = /^(?:#+\s+|\|\s*|[-*]\s+)[*`]*(I\d+[a-z]?)\b/.exec(line)
    const last = found.at(-1)
    if (start?.[1] !== undefined) found.push({ name: start[1], line: index + 1, text: line })
    else if (last !== undefined) last.text += `\n${line}`
  }
  return found
}

function untested(tree: Tree, { name, line, text }: Invariant): Finding[] {
  const references = [...text.matchAll(reference)]
  const problems = references.flatMap(([, file = '', title]) => {
    const test = tree.files.find((candidate) => candidate.path === file)
    if (test === undefined) return [`${file} is missing`]
    // Prose wraps; a title in code does not.
    const wanted = title?.replace(/\s+/g, ' ')
    if (wanted !== undefined && !test.text.includes(wanted))
      return [`${file} has no test "${wanted}"`]
    return []
  })
  if (!references.some(([, , title]) => title !== undefined)) problems.push('it names no test')
  return problems.map((problem) => ({ path: page, line, problem: `${name}: ${problem}` }))
}
