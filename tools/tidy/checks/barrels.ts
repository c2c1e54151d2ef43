import ts from 'typescript'
import { parse, scriptFiles } from '../sources.ts'
import type { Finding, TidyCheck, Tree, TreeFile } from '../tree.ts'

const packageIndex = /^packages\/[^/]+\/index\.ts$/

export const barrels: TidyCheck = {
  name: 'barrels',
  why: 'One index.ts at the root of each package is its surface. Further barrels hide who needs what and tie imports into knots.',
  run: (tree) => [
    ...missingIndexes(tree),
    ...scriptFiles(tree)
      .filter((file) => !packageIndex.test(file.path))
      .flatMap(asBarrel),
  ],
}

function missingIndexes(tree: Tree): Finding[] {
  const names = scriptFiles(tree).map((file) => /^packages\/([^/]+)\//.exec(file.path)?.[1])
  return [...new Set(names)]
    .filter((name) => name !== undefined && !tree.has(`packages/${name}/index.ts`))
    .map((name) => ({ path: `packages/${name}`, problem: 'has sources but no index.ts' }))
}

function asBarrel(file: TreeFile): Finding[] {
  if (/(^|\/)index\.[cm]?[jt]s$/.test(file.path)) {
    return [{ path: file.path, problem: 'is an index that is not at the root of a package' }]
  }
  const statements = parse(file).statements
  const onlyPassesOn = statements.every(
    (statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
  )
  if (statements.length === 0 || !onlyPassesOn) return []
  return [{ path: file.path, problem: 'only exports what other files define' }]
}
