import type { Command } from 'commander'
import { registerAssetAdd } from './asset-add.ts'
import { registerAssetSet } from './asset-set.ts'
import type { WithContext } from '../context.ts'

/** `asset add | set`. */
export function registerAssetCommands(program: Command, withContext: WithContext): void {
  const asset = program.command('asset').description('The assets that the service moves.')
  registerAssetAdd(asset, withContext)
  registerAssetSet(asset, withContext)
}
