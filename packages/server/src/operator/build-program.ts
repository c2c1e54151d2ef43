import { httpLeaves } from '../adapters/leaves/http-leaves.ts'
import { Command } from 'commander'
import { systemRandom } from '../adapters/random/system-random.ts'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { resolveConfig, type Config, type Role } from '../config.ts'
import { registerAccountCommands } from './account/account-commands.ts'
import { registerAssetCommands } from './asset/asset-commands.ts'
import { registerCapitalCommand } from './capital-command.ts'
import { registerConfigCommands } from './config-commands.ts'
import { keyModeOf } from '../start/compose-api.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { registerFeeRecipientCommands } from './account/fee-recipient-commands.ts'
import { registerFeesCommands } from './asset/fees-commands.ts'
import { registerInventoryCommands } from './asset/inventory-commands.ts'
import { inventoryPartsOf } from './inventory/inventory-parts.ts'
import { registerRebalanceCommands } from './inventory/rebalance-commands.ts'
import { registerKeyCommands } from './account/key-commands.ts'
import { registerLeavesCommands } from './rebuild/leaves-commands.ts'
import { delaysOf } from '../start/delays-of.ts'
import { openRelayers, openSecrets, openSigner } from '../start/open-keys.ts'
import { registerMigrateCommand } from './migrate-command.ts'
import { registerOrderCommands } from './order-commands.ts'
import { registerPoolCommands } from './pool/pool-commands.ts'
import { printLines } from './print-lines.ts'
import { registerRebuildCommand } from './rebuild/rebuild-command.ts'
import { senderFor } from '../start/start-notify.ts'
import { registerSignerCommands } from './signer-commands.ts'
import { registerTransactionCommands } from './transaction-commands.ts'
import { registerWebhookCommands } from './account/webhook-commands.ts'

/** Returns a function that prints a result: one line of JSON if `--json` was given, otherwise text for a person. */
export function printResult(program: Command): OperatorContext['out'] {
  return (result, shown = printLines(result)) => {
    const isJson = program.opts<{ json?: boolean }>().json === true
    console.log(isJson ? JSON.stringify(result) : shown)
  }
}

const pathOf = (program: Command): string | undefined => program.opts<{ config?: string }>().config

/**
 * Returns a function that reads the settings of a command that ends by itself, including the file that `--config`
 * names. The settings are read only once.
 */
export function settingsOf(program: Command): () => Config {
  let config: Config | undefined
  return () => (config ??= resolveConfig(undefined, pathOf(program), []).config)
}

/** Returns a function that reads the settings of a service in the given roles, or in the roles of SOTTO_ROLE. */
export const servedSettingsOf =
  (program: Command) =>
  (roles?: readonly Role[]): Config =>
    resolveConfig(undefined, pathOf(program), roles).config

/** Builds the operator's commands. Each command runs with the context that `withContext` opens. */
export function buildProgram(
  withContext: (program: Command) => WithContext,
  given?: () => Config,
): Command {
  const program = newProgram()
  const readConfig = given ?? settingsOf(program)
  registerCommands(program, withContext(program), readConfig)
  registerConfigCommands(
    program,
    () => resolveConfig(undefined, pathOf(program)),
    printResult(program),
  )
  return program
}

function newProgram(): Command {
  return new Command('sotto-server')
    .description('Private token transfers on Solana: the service and its operator commands.')
    .option('--json', 'print results as one line of JSON')
    .option('--config <file>', 'settings in TOML or JSON (default: SOTTO_CONFIG)')
    .addHelpText(
      'after',
      '\nSettings are read from variables SOTTO_* and from the configuration file; see docs/configuration.md.',
    )
    .exitOverride()
}

function registerCommands(
  program: Command,
  withContext: WithContext,
  readConfig: () => Config,
): void {
  registerPoolCommands(program, withContext)
  registerTransactionCommands(program, withContext, printResult(program))
  registerMigrateCommand(program, withContext, readConfig)
  registerAssetCommands(program, withContext)
  registerCapitalCommand(program, printResult(program))
  const inventory = registerInventoryCommands(program, withContext)
  registerRebalanceCommands(inventory, withContext, inventoryPartsOf(readConfig))
  registerFeesCommands(program, withContext)
  registerAccountCommands(program, withContext)
  registerKeyCommands(program, withContext, {
    random: systemRandom,
    secrets: () => openSecrets(readConfig(), systemRandom, systemClock),
    keyMode: () => keyModeOf(readConfig()),
  })
  registerFeeRecipientCommands(program, withContext)
  const signers = {
    authoriser: () => openSigner(readConfig(), readConfig().AUTHORISER_KEY, systemClock),
    relayers: () => openRelayers(readConfig(), systemClock),
  }
  registerSignerCommands(program, withContext, signers, printResult(program))
  registerWebhookCommands(program, withContext, {
    random: systemRandom,
    secrets: () => openSecrets(readConfig(), systemRandom, systemClock),
    sender: () => senderFor(readConfig()),
  })
  registerLeavesCommands(program, withContext)
  registerOrderCommands(program, withContext, {
    secrets: () => openSecrets(readConfig(), systemRandom, systemClock),
  })
  registerRebuildCommand(program, withContext, {
    random: systemRandom,
    secrets: () => openSecrets(readConfig(), systemRandom, systemClock),
    delays: () => delaysOf(readConfig()),
    published: () => (readConfig().LEAVES_URLS ?? []).map(httpLeaves),
    progress: (text) => console.error(text),
  })
}
