import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { CONTENTS } from '../release/contents.ts'
import { findPackedProblems, type PackedTexts } from '../release/judge-packed.ts'
import { buildPackages, packFolders, type Packed } from '../release/pack.ts'
import { PUBLISHED } from '../release/packages.ts'
import type { Outcome, Step } from './outcome.ts'

const BINARY = /\.(wasm|zkey|so|png|program)$|sotto-groth16$/

/** Builds the published packages. Compares the files that npm would pack with the permitted files. */
export const packagesStep: Step = {
  name: 'packages',
  run: async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sotto-packages-'))
    try {
      const folders = await buildPackages(folder)
      const packed = await packFolders(folders, undefined)
      return await Promise.all(PUBLISHED.map((name) => judge(folder, name, packed)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function judge(
  folder: string,
  name: (typeof PUBLISHED)[number],
  all: readonly Packed[],
): Promise<Outcome> {
  const packed = all.find((one) => one.name === `@sotto/${name}`)
  const why =
    'A package contains what it needs, and nothing else. tools/release lists the contents.'
  const outcome = { name: `package @sotto/${name}`, why }
  if (packed === undefined) return { ...outcome, problems: ['npm did not pack it'] }
  const own = path.join(folder, name)
  const files = await Promise.all(
    packed.files.map(async ({ path: file }) => {
      const text = BINARY.test(file) ? undefined : await readFile(path.join(own, file), 'utf8')
      return [file, text] as const
    }),
  )
  const manifest = JSON.parse(
    await readFile(path.join(own, 'package.json'), 'utf8'),
  ) as PackedTexts['manifest']
  const texts = { name: packed.name, size: packed.size, manifest, files: new Map(files) }
  return {
    ...outcome,
    problems: findPackedProblems(texts, CONTENTS[name], repositoryRoot),
    note: `${files.length} files, ${Math.ceil(packed.size / 1_024)} KB`,
  }
}
