import { definedTitles, runsTitled, rustTitles } from '../test-titles.ts'
import type { Finding, TidyCheck, Tree, TreeFile } from '../tree.ts'

// Matches a reference to a test. A page names the test's file, and then the test's title in double quotes:
// `program/tests/settle.test.ts` "a note is settled once"
const reference = /`([\w./-]+\.(?:ts|rs))`(?:\s*[:,]?\s*"([^"]+)")?/g

/** A page whose numbered entries must each name tests. `mark` is the letter before an entry's number. */
type Page = { name: string; page: string; mark: string; entry: string; why: string }

const namedTests = ({ name, page, mark, entry, why }: Page): TidyCheck => ({
  name,
  why: `${why} For each ${entry}, ${page} must name a file and, in quotes, a test in that file.`,
  run: (tree) => {
    const file = tree.files.find((candidate) => candidate.path === page)
    if (file === undefined) return [{ path: page, problem: 'is missing' }]
    const entries = entriesOf(file, mark)
    if (entries.length === 0)
      return [{ path: page, problem: `has no ${entry}, such as "## ${mark}1"` }]
    return entries.flatMap((one) => untested(tree, page, one))
  },
})

export const invariantTests = namedTests({
  name: 'invariant-tests',
  page: 'docs/invariants.md',
  mark: 'I',
  entry: 'invariant',
  why: 'An invariant needs a test that proves it.',
})

export const attackTests = namedTests({
  name: 'attack-tests',
  page: 'docs/security/threat-model.md',
  mark: 'A',
  entry: 'attack',
  why: 'An attack needs a test that shows that the attack is refused.',
})

export const contractTests = namedTests({
  name: 'contract-tests',
  page: 'docs/contract.md',
  mark: 'C',
  entry: 'sentence',
  why: 'Partners rely on every sentence of the contract.',
})

export type Entry = { name: string; line: number; text: string }

/** The entries of a page. Each starts with its number in a heading, in the first cell of a row, or in a list item. */
function entriesOf(file: TreeFile, mark: string): Entry[] {
  const found: Entry[] = []
  const opening = new RegExp(`^(?:#+\\s+|\\|\\s*|[-*]\\s+)[*\`]*(${mark}\\d+[a-z]?)\\b`)
  for (const [index, line] of file.text.split('\n').entries()) {
    const start = opening.exec(line)
    const last = found.at(-1)
    if (start?.[1] !== undefined) found.push({ name: start[1], line: index + 1, text: line })
    else if (last !== undefined) last.text += `\n${line}`
  }
  return found
}

export function untested(tree: Tree, page: string, { name, line, text }: Entry): Finding[] {
  const references = [...text.matchAll(reference)]
  const problems = references.flatMap(([, file = '', title]) => {
    const test = tree.files.find((candidate) => candidate.path === file)
    if (test === undefined) return [`${file} is missing`]
    // A page may wrap a title over two lines, so each run of white space counts as one space.
    const wanted = title?.replace(/\s+/g, ' ')
    if (wanted === undefined) return []
    const titles = tree.titles.get(file) ?? definedIn(test)
    return runsTitled(titles, wanted) ? [] : [`${file} runs no test "${wanted}"`]
  })
  if (!references.some(([, , title]) => title !== undefined))
    problems.push('the entry names no test')
  return problems.map((problem) => ({ path: page, line, problem: `${name}: ${problem}` }))
}

const definedIn = ({ path, text }: TreeFile): string[] =>
  path.endsWith('.rs') ? rustTitles(text) : definedTitles(text)
