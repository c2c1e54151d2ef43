import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { readTree } from '../tidy/tree.ts'

const CONFIGS = ['tsconfig.json', 'examples/browser/tsconfig.json', 'packages/web/tsconfig.json']

/** The files that a configuration includes, relative to the repository. */
function included(config: string): string[] {
  const file = path.join(repositoryRoot, config)
  const { config: json } = ts.readConfigFile(file, ts.sys.readFile) as { config: object }
  const { fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(file))
  return fileNames.map((name) => path.relative(repositoryRoot, name))
}

// The linter checks the types of a file that belongs to no tsconfig.json with weaker settings.
it('every TypeScript file belongs to a tsconfig.json', () => {
  const known = new Set(CONFIGS.flatMap(included))
  const sources = readTree(repositoryRoot)
    .files.map((file) => file.path)
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('tools/fixtures/'))
  expect(sources.length).toBeGreaterThan(2_000)
  expect(sources.filter((name) => !known.has(name))).toEqual([])
})
