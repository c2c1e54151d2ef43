import type { Finding, TidyCheck, TreeFile } from '../tree.ts'

type Entry = { resolved?: string; link?: boolean; optionalDependencies?: Record<string, string> }

export const lockfile: TidyCheck = {
  name: 'lockfile',
  why: 'A download address would force every installation to use one registry, and `npm ci` refuses a lockfile without the packages of a platform.',
  run: (tree) => {
    const file = tree.files.find((candidate) => candidate.path === 'package-lock.json')
    if (file === undefined) return [{ path: 'package-lock.json', problem: 'is missing' }]
    return inLockfile(file)
  },
}

function inLockfile(file: TreeFile): Finding[] {
  const { packages } = JSON.parse(file.text) as { packages: Record<string, Entry> }
  return Object.entries(packages).flatMap(([name, entry]) => {
    const problems: string[] = []
    if (entry.resolved !== undefined && entry.link !== true) {
      problems.push(`${name} has a download address`)
    }
    for (const wanted of Object.keys(entry.optionalDependencies ?? {})) {
      const isThere = Object.keys(packages).some((key) => key.endsWith(`node_modules/${wanted}`))
      if (!isThere)
        problems.push(
          `${name} needs ${wanted} on some platform, but the lockfile has no entry for it`,
        )
    }
    return problems.map((problem) => ({ path: file.path, problem }))
  })
}
