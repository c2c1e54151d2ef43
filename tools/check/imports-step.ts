import fs from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { cruiseTree, importRules } from '../imports/cruise-tree.ts'
import { tryImportRules } from '../imports/fixtures.ts'
import { scriptFiles } from '../tidy/sources.ts'
import { readTree } from '../tidy/tree.ts'
import type { Outcome, Step } from './outcome.ts'

// The folders whose imports are checked.
const folders = [
  ...['packages', 'demo', 'examples', 'circuit', 'program', 'vectors'],
  ...['tools', 'testing', 'sim', 'e2e', 'bench', 'deploy'],
]

/** Applies the import rules to the repository. Then applies each rule to the fixture that breaks it. */
export const importsStep: Step = {
  name: 'imports',
  run: async () => [await followImports(), ...(await tryRules())],
}

async function followImports(): Promise<Outcome> {
  const present = folders.filter((folder) => fs.existsSync(path.join(repositoryRoot, folder)))
  const { modules, violations } = await cruiseTree(repositoryRoot, present)
  const problems = violations.map(
    ({ rule, from, to }) => `${from} imports ${to}: ${reasonOf(rule)}`,
  )
  return {
    name: 'imports',
    problems: [...problems, ...unseen(modules, present)],
    note: `${modules.length} modules`,
  }
}

// If the parser were broken, it would find no modules and no violations, and the check would pass. So the modules must
// include every script file of the present folders.
function unseen(modules: string[], present: string[]): string[] {
  if (modules.length === 0) return ['no module was found, so nothing was checked']
  const seen = new Set(modules)
  return scriptFiles(readTree(repositoryRoot))
    .map((file) => file.path)
    .filter((name) => present.includes(name.split('/')[0] ?? '') && !name.endsWith('.d.ts'))
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
