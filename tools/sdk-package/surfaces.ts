import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'

export const packagesRoot = path.join(repositoryRoot, 'packages')
export const sdkRoot = path.join(packagesRoot, 'sdk')

/**
 * The entry points for partners, each with its source file: everything, balances, files for Node, the server side and
 * the wallet side.
 */
export const SURFACES = {
  '.': 'index',
  './balance': 'balance',
  './node': 'node',
  './server': 'server',
  './wallet': 'wallet',
} as const
