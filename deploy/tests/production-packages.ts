import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * The folders under node_modules that `npm ci --omit=dev --workspace <each>` would install: the direct and indirect
 * dependencies of the workspaces in the lockfile.
 */
export function productionPackages(workspaces: readonly string[]): string[] {
  const text = readFileSync(path.join(repositoryRoot, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Locked>> }
  const reached = new Set<string>()
  const waiting = [...workspaces]
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[from] ?? {}
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    for (const name of names) {
      const found = resolve(packages, from, name)
      if (found === undefined || reached.has(found)) continue
      reached.add(found)
      waiting.push(packages[found]?.link === true ? (packages[found].resolved ?? found) : found)
    }
  }
  return [...reached].filter((place) => packages[place]?.link !== true).sort()
}

/**
 * The folder in which Node finds a package: the nearest node_modules that contains the package, from the importing file
 * upwards.
 */
function resolve(packages: Readonly<Record<string, Locked>>, from: string, name: string) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (folder === '') return undefined
  }
}
