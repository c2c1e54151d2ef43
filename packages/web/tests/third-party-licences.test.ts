import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundledPackages, licencesText, packageLicences } from '../index.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sotto-licences-'))
  await writeFile(join(root, 'LICENSE'), 'the Apache License')
})
afterEach(() => rm(root, { recursive: true }))

async function install(name: string, license: string, files: Record<string, string>) {
  const folder = join('node_modules', name)
  await mkdir(join(root, folder), { recursive: true })
  const manifest = JSON.stringify({ name, version: '1.0.0', license })
  for (const [file, text] of Object.entries({ ...files, 'package.json': manifest })) {
    await writeFile(join(root, folder, file), text)
  }
  return folder
}

it('names exactly the packages whose code a bundle contains', () => {
  const inputs = (bytes: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(bytes).map(([file, bytesInOutput]) => [file, { bytesInOutput }]),
    )
  const output = (bytes: Record<string, number>) => ({
    ...{ bytes: 1, imports: [], exports: [], inputs: inputs(bytes) },
  })
  const outputs = {
    'a.js': output({
      'packages/sdk/index.ts': 9,
      'node_modules/one/lib/a.js': 5,
      'node_modules/unused/a.js': 0,
    }),
    'b.js': output({
      'node_modules/@scope/two/b.js': 2,
      '../node_modules/one/node_modules/three/c.js': 1,
    }),
  }
  expect(bundledPackages({ outputs })).toEqual([
    '../node_modules/one/node_modules/three',
    'node_modules/@scope/two',
    'node_modules/one',
  ])
})

it('writes every licence and notice, and equal terms only once', async () => {
  const folders = [
    await install('one', 'MIT', { LICENSE: 'terms\r\nof one', 'NOTICE.md': 'a notice' }),
    await install('two', 'Apache-2.0', {}),
    await install('@scope/three', 'Apache-2.0', { 'LICENSE.txt': 'the Apache License\n' }),
  ]
  const text = licencesText(await packageLicences(root, folders))
  expect(text).toContain('one 1.0.0, MIT\n\nterms\nof one\n\na notice\n')
  expect(text).toContain(
    'two 1.0.0, Apache-2.0\n@scope/three 1.0.0, Apache-2.0\n\nthe Apache License\n',
  )
  expect(text.match(/the Apache License/g)).toHaveLength(1)
})

it('refuses to bundle a package without terms', async () => {
  const folder = await install('four', 'ISC', { 'README.md': '' })
  await expect(packageLicences(root, [folder])).rejects.toThrow('four 1.0.0 states no terms')
})
