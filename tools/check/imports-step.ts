import { repositoryRoot } from '../bootstrap/paths.mjs'
import { cruiseTree, importRules } from '../imports/cruise-tree.ts'
import { tryImportRules } from '../imports/fixtures.ts'
import { scriptFiles } from '../tidy/sources.ts'
import { readTree } from '../tidy/tree.ts'
import type { Outcome, Step } from './outcome.ts'

/** Applies the import rules to the repository. Then applies each rule to a fixture that breaks the rule. */
export const importsStep: Step = {
  name: 'imports',
  run: async () => [await followImports(), ...(await tryRules())],
}

async function followImports(): Promise<Outcome> {
  const scripts = scriptFiles(readTree(repositoryRoot)).map((file) => file.path)
  // Checks every folder with scripts, so the rules also apply to a new folder.
  const folders = scripts.flatMap((name) => (name.includes('/') ? name.split('/', 1) : []))
  const { modules, violations } = await cruiseTree(repositoryRoot, [...new Set(folders)])
  const problems = violations.map(
    ({ rule, from, to }) => `${from} imports ${to}: ${reasonOf(rule)}`,
  )
  return {
    name: 'imports',
    problems: [...problems, ...unseen(modules, scripts)],
    note: `${modules.length} modules`,
  }
}

// A broken parser would find no modules, and the check would pass. So this function checks that the modules include
// every script file in a folder.
function unseen(modules: string[], scripts: readonly string[]): string[] {
  if (modules.length === 0) return ['no module was found, so nothing was checked']
  const seen = new Set(modules)
  return scripts
    .filter((name) => name.includes('/') && !name.endsWith('.d.ts'))
    .filter((name) => !seen.has(name))
    .map((name) => `${name} was not found, so its imports were not checked`)
}

async function tryRules(): Promise<Outcome[]> {
  const results = await tryImportRules()
  return results.map(({ name, problem }) => ({
    name: `import rule ${name}`,
    problems: problem === null ? [] : [problem],
    why: 'A rule that cannot fail is useless.',
  }))
}

function reasonOf(rule: string): string {
  const found = importRules.find((candidate) => candidate.name === rule)
  return `${rule}. ${found?.reason ?? ''}`
}
