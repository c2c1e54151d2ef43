import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'

export const packagesRoot = path.join(repositoryRoot, 'packages')
export const sdkRoot = path.join(packagesRoot, 'sdk')

/** What partners import, by the file that is its source: `@sotto/sdk`, and its two halves. */
export const SURFACES = { '.': 'index', './server': 'server', './wallet': 'wallet' } as const
