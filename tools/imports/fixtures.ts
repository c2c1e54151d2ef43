import fs from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { cruiseTree, importRules } from './cruise-tree.ts'

const fixtures = path.join(repositoryRoot, 'tools/fixtures/imports')
// This fixture breaks no rule, so it shows that the rules don't refuse every import.
const control = 'allowed'

export type FixtureResult = { name: string; problem: string | null }

/** Applies the rules to small folders. Each folder breaks one rule, which shows that the rule can fail. */
export async function tryImportRules(): Promise<FixtureResult[]> {
  const results: FixtureResult[] = []
  for (const { name, reason } of importRules) {
    const problem = reason === '' ? 'the rule gives no reason in its comment' : await tryRule(name)
    results.push({ name, problem })
  }
  return [...results, await tryControl(), ...strayFixtures()]
}

async function tryRule(name: string): Promise<string | null> {
  const broken = await violatedRules(name)
  if (broken === null)
    return `tools/fixtures/imports/${name} is missing, so nothing shows that the rule can fail`
  if (broken.includes(name)) return null
  return `tools/fixtures/imports/${name} breaks the rule and was not caught`
}

async function tryControl(): Promise<FixtureResult> {
  const broken = await violatedRules(control)
  const problem = broken === null ? 'its folder is missing' : `it breaks ${broken.join(', ')}`
  return { name: control, problem: broken?.length === 0 ? null : problem }
}

function strayFixtures(): FixtureResult[] {
  const known = new Set([control, ...importRules.map((rule) => rule.name)])
  return fs
    .readdirSync(fixtures)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, problem: 'the fixture does not belong to a rule' }))
}

async function violatedRules(name: string): Promise<string[] | null> {
  const root = path.join(fixtures, name)
  if (!fs.existsSync(root)) return null
  const { violations } = await cruiseTree(root, fs.readdirSync(root))
  return violations.map((violation) => violation.rule)
}
