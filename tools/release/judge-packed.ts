import path from 'node:path'
import { packageOf } from './bundle-program.ts'
import type { Contents } from './contents.ts'

/** A packed package with the text of each file. */
export interface PackedTexts {
  readonly name: string
  /** Size of the tarball in bytes. */
  readonly size: number
  readonly manifest: {
    readonly license?: string
    readonly bin?: Readonly<Record<string, string>>
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
    readonly dependencies?: Readonly<Record<string, string>>
    readonly optionalDependencies?: Readonly<Record<string, string>>
    readonly peerDependencies?: Readonly<Record<string, string>>
  }
  /** The text of each file by its path; undefined if the file isn't text. */
  readonly files: ReadonlyMap<string, string | undefined>
}

/** Licences, each with a pattern for the first words of its text. */
const LICENCES: Readonly<Record<string, RegExp>> = {
  'Apache-2.0': /^\s*Apache License\s+Version 2\.0/,
  'GPL-3.0-only':
    /^(?:SPDX-License-Identifier: GPL-3\.0-only)?\s*GNU GENERAL PUBLIC LICENSE\s+Version 3/,
}
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/
/** Matches the imports in code that a bundler or a person wrote. */
const IMPORTED = /(?:^|[;}\s])(?:from|import|import\()\s*["']([^"'\s]+)["']/g
const OPENED = /new URL\(\s*["'](\.[^"']+)["'],\s*import\.meta\.url/g
const CODE = /(\.m?js|\.d\.ts|\/sotto-prover)$/
/** Matches code for browsers. All imports in that code are bundled. */
const PAGES = /^(web|viewer)\//

/** The regular expression for a pattern of `Contents`. */
function patternOf(listed: string): RegExp {
  const escaped = listed.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '[^/]')
  const parts = escaped.split('**').map((part) => part.replaceAll('*', '[^/]*'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/**
 * Finds the problems of a packed package. `root` is the path of the repository on this machine. No file may contain
 * this path.
 */
export function findPackedProblems(packed: PackedTexts, allowed: Contents, root: string): string[] {
  return [
    ...sizeProblems(packed, allowed),
    ...listProblems(packed, allowed),
    ...targetProblems(packed),
    ...openedProblems(packed),
    ...commandProblems(packed),
    ...licenceProblems(packed),
    ...dependencyProblems(packed),
    ...textProblems(packed, root),
  ].map((problem) => `${packed.name} ${problem}`)
}

const sizeProblems = ({ size }: PackedTexts, { maxKilobytes }: Contents): string[] =>
  size <= maxKilobytes * 1_024
    ? []
    : [`has ${Math.ceil(size / 1_024)} KB, and ${maxKilobytes} KB are allowed`]

function listProblems({ files }: PackedTexts, { listed }: Contents): string[] {
  const patterns = listed.map((one) => ({ one, pattern: patternOf(one) }))
  const names = [...files.keys()]
  return [
    ...names
      .filter((name) => !patterns.some(({ pattern }) => pattern.test(name)))
      .map((name) => `contains ${name}, which is not listed`),
    ...patterns
      .filter(({ pattern }) => !names.some((name) => pattern.test(name)))
      .map(({ one }) => `lacks ${one}`),
  ]
}

function targetProblems({ manifest, files }: PackedTexts): string[] {
  const exported = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  const targets = [...exported, ...Object.values(manifest.bin ?? {})]
  if (targets.length === 0) return ['exports nothing']
  return targets
    .filter((target) => !files.has(target.replace(/^\.\//, '')))
    .map((target) => `names ${target}, which it does not contain`)
}

/** Finds files and folders that the package's code opens by a relative path but that the package doesn't contain. */
function openedProblems({ files }: PackedTexts): string[] {
  const names = [...files.keys()]
  return [...files].flatMap(([file, text = '']) =>
    [...(CODE.test(file) ? text : '').matchAll(OPENED)]
      .map(([, place = '']) => path.posix.join(path.posix.dirname(file), place))
      .filter((place) => place !== './' && !names.some((name) => name.startsWith(place)))
      .map((place) => `does not contain ${place}, which ${file} opens`),
  )
}

/**
 * A command's file must start with `#!/usr/bin/env node`. Without that line, a shell would run the command's
 * JavaScript as a shell script.
 */
const commandProblems = ({ manifest, files }: PackedTexts): string[] =>
  Object.values(manifest.bin ?? {})
    .filter((file) => files.get(file)?.startsWith('#!/usr/bin/env node\n') === false)
    .map((file) => `has the command ${file}, whose first line does not name node`)

function licenceProblems({ manifest, files }: PackedTexts): string[] {
  const expected = LICENCES[manifest.license ?? '']
  if (expected === undefined) return [`is under ${manifest.license ?? 'no licence'}`]
  return expected.test(files.get('LICENSE') ?? '') ? [] : [`lacks the text of ${manifest.license}`]
}

function dependencyProblems({ name, manifest, files }: PackedTexts): string[] {
  const pinned = { ...manifest.dependencies, ...manifest.optionalDependencies }
  const named = new Set([name, ...Object.keys({ ...pinned, ...manifest.peerDependencies })])
  const used = new Set<string>()
  for (const [file, text] of files) {
    if (text === undefined || !CODE.test(file) || PAGES.test(file)) continue
    for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
      if (!/^(\.|node:|data:|\/)/.test(specifier)) used.add(packageOf(specifier))
    }
  }
  return [
    ...[...used]
      .filter((one) => !named.has(one))
      .map((one) => `imports ${one}, which is not in its package.json`),
    ...Object.entries(pinned)
      .filter(([, version]) => !EXACT.test(version))
      .map(([one, version]) => `does not pin ${one}: ${version}`),
  ]
}

const textProblems = ({ files }: PackedTexts, root: string): string[] =>
  [...files]
    .filter(([, text]) => text?.includes(root) === true)
    .map(([file]) => `names a folder of this machine in ${file}`)
