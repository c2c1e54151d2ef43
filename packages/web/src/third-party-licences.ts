import type { Metafile } from 'esbuild'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of the licence file that accompanies bundled code. */
export const LICENCES_FILE = 'THIRD-PARTY-LICENSES.txt'

/** Matches the names of files with a package's licence or notices. */
const TERMS = /^(licen[cs]e|notice|copying)([-._].*)?$/i
const PACKAGE_FOLDER = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//
const LINE = '='.repeat(80)

const MIT = `The MIT License (MIT)

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

/** The folders of all npm packages whose code a bundle contains, relative to the bundler's folder. */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): string[] {
  const contributing = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? (PACKAGE_FOLDER.exec(file)?.[1] ?? []) : [],
    ),
  )
  return [...new Set(contributing)].sort()
}

/** Code of other authors that our files contain, with its licence terms. */
export interface ThirdParty {
  /** Name, version and licence, for people who read the file. */
  readonly name: string
  readonly terms: string
}

/** The licence terms of npm packages. @throws Error for a package whose terms are unknown. */
export const packageLicences = (
  root: string,
  folders: readonly string[],
): Promise<readonly ThirdParty[]> =>
  Promise.all(folders.map((folder) => describePackage(root, folder)))

/**
 * The text that must accompany code of other authors. If several parts have the same terms, the terms are written
 * once.
 */
export function licencesText(parts: readonly ThirdParty[]): string {
  const names = new Map<string, Set<string>>()
  for (const { name, terms } of parts) {
    const those = names.get(terms) ?? new Set()
    names.set(terms, those.add(name))
  }
  const sections = [...names].map(
    ([terms, those]) => `${LINE}\n${[...those].join('\n')}\n\n${terms}`,
  )
  return ['These files contain code of others. Their terms follow.\n', ...sections].join('\n')
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

async function describePackage(root: string, folder: string): Promise<ThirdParty> {
  const text = await readFile(join(root, folder, 'package.json'), 'utf8')
  const { name, version, license = '' } = JSON.parse(text) as Manifest
  const own = await termsIn(join(root, folder))
  const terms = own === '' ? await usualTerms(root, license) : own
  if (terms === undefined) {
    throw new Error(`${name} ${version} states no terms, so its code can't be bundled`)
  }
  return { name: `${name} ${version}, ${license}`, terms }
}

/**
 * The standard terms of a licence. They are for a package that names its licence, but contains neither a licence file
 * nor a copyright holder. Undefined for a licence whose text we don't have.
 */
export async function usualTerms(root: string, license: string): Promise<string | undefined> {
  if (license === 'Apache-2.0') return tidy(await readFile(join(root, 'LICENSE'), 'utf8'))
  return license === 'MIT' ? MIT : undefined
}

const tidy = (text: string): string => `${text.replaceAll('\r\n', '\n').trim()}\n`

/** All licence terms in a folder; empty if there are none. */
export async function termsIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => TERMS.test(name)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.map(tidy).join('\n')
}
