import satisfies from 'spdx-satisfies'

/** Licences whose only requirement is that their text is shipped with the code. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-1-Clause',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]
/** Licences allowed only for tools, because we don't ship any part of these tools. */
const TOOLS_ONLY = ['MPL-2.0', 'CC-BY-3.0', 'CC-BY-4.0']
/**
 * Licences that are allowed only for folders under the same licence. The programs in these folders run as separate
 * processes.
 */
const COPYLEFT = ['GPL-3.0-only', 'GPL-3.0-or-later']
/** Packages whose licence isn't an SPDX identifier, with the licence that their files state. */
const STATED: Readonly<Record<string, string>> = {
  'node_modules/esprima@1.2.5': 'BSD-2-Clause',
  'node_modules/jsonify@0.0.1': 'CC0-1.0',
}

/** An entry of package-lock.json. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>

/**
 * Converts older spellings to SPDX: `MIT/Apache-2.0` allows a choice of either licence, and `GPL-3.0` means only that
 * version.
 */
const spdxOf = (text: string): string =>
  text.replaceAll(/ ?\/ ?/g, ' OR ').replace(/^GPL-3\.0$/, 'GPL-3.0-only')

/** True if the allowed licences satisfy a licence, given as an SPDX expression. */
export function isAllowed(licence: string, allowed: readonly string[] = PERMISSIVE): boolean {
  try {
    return satisfies(spdxOf(licence), [...allowed])
  } catch {
    // The licence isn't an SPDX expression.
    return false
  }
}

/** Finds the licence problems of all packages that package-lock.json installs. */
export function findLicenceProblems(packages: LockedPackages): string[] {
  const copyleft = reachableFrom(packages, (own) => isAllowed(own.license ?? '', COPYLEFT))
  const others = reachableFrom(packages, (own) => !isAllowed(own.license ?? '', COPYLEFT))
  const problems: string[] = []
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.startsWith('node_modules/') || entry.link === true) continue
    const name = `${path}@${entry.version}`
    const licence = STATED[name] ?? entry.license ?? 'no licence'
    if (isAllowed(licence)) continue
    if (entry.dev === true && isAllowed(licence, [...PERMISSIVE, ...TOOLS_ONLY])) continue
    if (!isAllowed(licence, COPYLEFT)) problems.push(`${name} is under ${licence}`)
    else if (others.has(path) || !copyleft.has(path)) {
      problems.push(`${name} is under ${licence}, and is used by a folder under another licence`)
    }
  }
  return problems
}

/**
 * The folders of all packages that the chosen folders of this repository install. The chosen folders themselves are
 * left out.
 */
function reachableFrom(
  packages: LockedPackages,
  isChosen: (own: LockedPackage) => boolean,
): Set<string> {
  const waiting = Object.entries(packages).filter(
    ([path, entry]) => !path.includes('node_modules') && isChosen(entry),
  )
  const reached = new Set<string>()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, { dependencies, devDependencies, optionalDependencies }] = next
    const tools = path.includes('node_modules') ? {} : devDependencies
    for (const name of Object.keys({ ...dependencies, ...tools, ...optionalDependencies })) {
      const found = resolve(packages, path, name)
      if (found === undefined || reached.has(found[0]) || found[1].link === true) continue
      reached.add(found[0])
      waiting.push(found)
    }
  }
  return reached
}

/**
 * The folder in which Node finds a package. Node searches the node_modules folders from the importing file upwards, and
 * takes the first folder that contains the package.
 */
function resolve(
  packages: LockedPackages,
  from: string,
  name: string,
): [path: string, entry: LockedPackage] | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    const entry = packages[path]
    if (entry !== undefined) return [path, entry]
    if (folder === '') return undefined
  }
}
