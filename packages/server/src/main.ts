#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { systemClock } from './adapters/clock/system-clock.ts'
import { openFileSecrets } from './adapters/keystore/file-secrets.ts'
import { systemRandom } from './adapters/random/system-random.ts'
import { readConfig } from './config.ts'
import { registerAccountCommands } from './operator/account-commands.ts'
import { registerAssetCommands } from './operator/asset-commands.ts'
import { keyModeOf } from './operator/compose-api.ts'
import type { WithContext } from './operator/context.ts'
import { EXIT, explainFailure } from './operator/explain-failure.ts'
import { registerFeeRecipientCommands } from './operator/fee-recipient-commands.ts'
import { registerFeesCommands } from './operator/fees-commands.ts'
import { registerInventoryCommands } from './operator/inventory-commands.ts'
import { registerKeyCommands } from './operator/key-commands.ts'
import { openServiceDatabase } from './operator/open-service-database.ts'
import { registerPoolCommands } from './operator/pool-commands.ts'
import { printLines } from './operator/print-lines.ts'
import { registerServeCommand } from './operator/serve-command.ts'

const program = new Command('sotto-server')
  .description('Private token transfers on Solana: the service and its operator commands.')
  .option('--json', 'print results as one line of JSON')
  .addHelpText('after', '\nSettings are read from variables SOTTO_*; see docs/operations.md.')
  .exitOverride()

const out = (result: object): void => {
  const isJson = program.opts<{ json?: boolean }>().json === true
  console.log(isJson ? JSON.stringify(result) : printLines(result))
}

/** Opens configuration and database for one command, and closes the database whatever happens. */
const withContext: WithContext = async (work) => {
  const config = readConfig()
  const database = await openServiceDatabase(config)
  try {
    const { RPC_URL: rpcUrl, PROGRAM_ID } = config
    await work({ rpcUrl, program: PROGRAM_ID, database, clock: systemClock, out })
  } finally {
    await database.close()
  }
}

registerServeCommand(program, () => readConfig(), out)
registerPoolCommands(program, withContext)
registerAssetCommands(program, withContext)
registerInventoryCommands(program, withContext)
registerFeesCommands(program, withContext)
registerAccountCommands(program, withContext)
registerKeyCommands(program, withContext, {
  random: systemRandom,
  secrets: () => openFileSecrets(readConfig().KEYS, systemRandom),
  keyMode: () => keyModeOf(readConfig()),
})
registerFeeRecipientCommands(program, withContext)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; help and version aren't errors.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
  } else {
    const { lines, code } = explainFailure(error)
    console.error(lines)
    process.exitCode = code
  }
}
