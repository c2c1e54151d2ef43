import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { findPackedProblems, type PackedTexts } from './judge-packed.ts'

const text = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8')
const allowed = {
  listed: ['package.json', 'LICENSE', 'code/main.mjs', 'code/chunk-????.mjs', 'types/**.d.ts'],
  maxKilobytes: 10,
}
const ROOT = '/clone/of/sotto'

function packed(manifest: PackedTexts['manifest'], files: Record<string, string>): PackedTexts {
  const sound = {
    'package.json': '',
    LICENSE: text('LICENSE'),
    'code/main.mjs': `#!/usr/bin/env node\nimport { a } from "ws";\nawait import("./chunk-AB12.mjs");`,
    'code/chunk-AB12.mjs': `import fs from 'node:fs'\nexport * from '@solana/kit/program'`,
    'types/sdk/index.d.ts': `import type { X } from '@solana/kit'`,
  }
  return {
    name: '@sotto/one',
    size: 9_000,
    manifest: {
      license: 'Apache-2.0',
      bin: { one: 'code/main.mjs' },
      exports: { '.': { types: './types/sdk/index.d.ts', default: './code/main.mjs' } },
      dependencies: { ws: '8.23.0' },
      peerDependencies: { '@solana/kit': '>=3 <9' },
      ...manifest,
    },
    files: new Map(Object.entries({ ...sound, ...files })),
  }
}
const problems = (one: PackedTexts) => findPackedProblems(one, allowed, ROOT)

it('a correct package has no problem', () => {
  expect(problems(packed({}, {}))).toEqual([])
})

it('an unlisted file or a missing listed file is a problem', () => {
  const { files, ...rest } = packed({}, { 'code/main.test.mjs': '', 'types/a.ts': '' })
  const without = new Map([...files].filter(([name]) => name !== 'code/chunk-AB12.mjs'))
  expect(problems({ ...rest, files: without })).toEqual([
    '@sotto/one contains code/main.test.mjs, which is not listed',
    '@sotto/one contains types/a.ts, which is not listed',
    '@sotto/one lacks code/chunk-????.mjs',
  ])
})

it('a package that is too large is a problem', () => {
  expect(problems({ ...packed({}, {}), size: 10_241 })).toEqual([
    '@sotto/one has 11 KB, and 10 KB are allowed',
  ])
})

it('an export or a command without its file is a problem', () => {
  const manifest = { bin: { one: 'code/gone.mjs' }, exports: { './x': './x.mjs' } }
  expect(problems(packed(manifest, {}))).toEqual([
    '@sotto/one names ./x.mjs, which it does not contain',
    '@sotto/one names code/gone.mjs, which it does not contain',
  ])
})

it('a file that code opens is a problem if it is not in the package', () => {
  const chunk = `new URL("../data/key", import.meta.url); new URL('./main.mjs', import.meta.url)`
  expect(problems(packed({}, { 'code/chunk-AB12.mjs': chunk }))).toEqual([
    '@sotto/one does not contain data/key, which code/chunk-AB12.mjs opens',
  ])
})

it('a command without a first line for Node is a problem', () => {
  expect(problems(packed({}, { 'code/main.mjs': 'import "ws"' }))).toEqual([
    '@sotto/one has the command code/main.mjs, whose first line does not name node',
  ])
})

it('an undeclared import or an inexact version is a problem', () => {
  expect(problems(packed({ dependencies: { pg: '^8.0.0' } }, {}))).toEqual([
    '@sotto/one imports ws, which is not in its package.json',
    '@sotto/one does not pin pg: ^8.0.0',
  ])
})

it('a licence without its text is a problem', () => {
  expect(problems(packed({ license: 'GPL-3.0-only' }, {}))).toEqual([
    '@sotto/one lacks the text of GPL-3.0-only',
  ])
  const licence = text('packages/prover/LICENSE')
  expect(problems(packed({ license: 'GPL-3.0-only' }, { LICENSE: licence }))).toEqual([])
})

it('a file that names the folder of the build is a problem', () => {
  const chunk = `const from = '${ROOT}/packages/web'`
  expect(problems(packed({}, { 'code/chunk-AB12.mjs': chunk }))).toEqual([
    '@sotto/one names a folder of this machine in code/chunk-AB12.mjs',
  ])
})
