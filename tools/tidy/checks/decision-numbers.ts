import type { Finding, TidyCheck, Tree } from '../tree.ts'

const DECISION = /^docs\/decisions\/(\d{4})-[^/]*\.md$/

/** Checks that each number of a decision is unique, because texts refer to a decision only by its number. */
export const decisionNumbers: TidyCheck = {
  name: 'decision-numbers',
  why: 'Texts refer to a decision by its number, so each number belongs to one decision, whose title repeats the number.',
  run: (tree) => findings(tree),
}

function findings(tree: Tree): Finding[] {
  const known = new Map<string, string>()
  return tree.files.flatMap(({ path, text }) => {
    const number = DECISION.exec(path)?.[1]
    if (number === undefined) return []
    const problems: string[] = []
    const other = known.get(number)
    if (other === undefined) known.set(number, path)
    else problems.push(`has the same number as ${other}`)
    const title = `# ${Number(number)}. `
    if (!text.startsWith(title)) problems.push(`does not start with "${title}"`)
    return problems.map((problem) => ({ path, problem }))
  })
}
