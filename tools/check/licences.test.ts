import { expect, it } from 'vitest'
import { findLicenceProblems, isAllowed } from './licences.ts'

const OWN = {
  '': { license: 'Apache-2.0', devDependencies: { bundler: '1' } },
  'packages/service': { license: 'Apache-2.0', dependencies: { http: '1', '@own/prover': '1' } },
  'packages/prover': { license: 'GPL-3.0-only', dependencies: { snark: '1' } },
  'node_modules/@own/prover': { link: true, resolved: 'packages/prover' },
}
const FOUND = {
  'node_modules/http': { version: '1.0.0', license: 'MIT' },
  'node_modules/snark': { version: '1.0.0', license: 'GPL-3.0', dependencies: { curve: '1' } },
  'node_modules/snark/node_modules/curve': { version: '1.0.0', license: 'GPL-3.0' },
  'node_modules/bundler': { version: '1.0.0', license: 'MPL-2.0', dev: true },
}

it('an OR needs one allowed licence, and an AND needs both', () => {
  expect(isAllowed('(MIT OR GPL-3.0-only)')).toBe(true)
  expect(isAllowed('MIT/Apache-2.0')).toBe(true)
  expect(isAllowed('(MIT OR Apache-2.0) AND Unicode-3.0')).toBe(true)
  expect(isAllowed('MIT AND GPL-3.0-only')).toBe(false)
  expect(isAllowed('SEE LICENSE IN file')).toBe(false)
})

it('accepts a copyleft licence only for a folder under the same licence', () => {
  expect(findLicenceProblems({ ...OWN, ...FOUND })).toEqual([])
  const used = { ...OWN['packages/service'], dependencies: { snark: '1' } }
  expect(findLicenceProblems({ ...OWN, ...FOUND, 'packages/service': used })).toEqual([
    'node_modules/snark@1.0.0 is under GPL-3.0, and is used by a folder under another licence',
    'node_modules/snark/node_modules/curve@1.0.0 is under GPL-3.0, and is used by a folder under another licence',
  ])
})

it('accepts weaker copyleft only for tools', () => {
  const shipped = { version: '1.0.0', license: 'MPL-2.0' }
  const silent = { version: '2.0.0', dev: true }
  expect(
    findLicenceProblems({ ...OWN, ...FOUND, 'node_modules/a': shipped, 'node_modules/b': silent }),
  ).toEqual(['node_modules/a@1.0.0 is under MPL-2.0', 'node_modules/b@2.0.0 is under no licence'])
})
