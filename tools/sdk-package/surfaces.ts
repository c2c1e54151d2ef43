import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'

export const packagesRoot = path.join(repositoryRoot, 'packages')
export const sdkRoot = path.join(packagesRoot, 'sdk')

/**
 * The entry points for partners, by source file: `@sotto/sdk`, its server and wallet sides, balances, and files for
 * Node.
 */
export const SURFACES = {
  '.': 'index',
  './balance': 'balance',
  './node': 'node',
  './server': 'server',
  './wallet': 'wallet',
} as const
