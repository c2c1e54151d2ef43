import type { Command } from 'commander'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { dateMistakes, portMistakes } from '../config/check-mistakes.ts'
import { assertNone } from '../config/mistake.ts'
import { showConfig } from '../config/show-config.ts'
import type { ResolvedConfig } from '../config.ts'
import type { OperatorContext } from './context.ts'

/**
 * `config check`: lists every mistake. If there is none, prints the resolved value of each setting, without secrets.
 */
export function registerConfigCommands(
  program: Command,
  resolve: () => ResolvedConfig,
  out: OperatorContext['out'],
): void {
  program
    .command('config')
    .description('The settings of this service.')
    .command('check')
    .description('List every mistake in the settings, or print each resolved value and its source.')
    .action(() => {
      const resolved = resolve()
      const { config } = resolved
      assertNone([
        ...portMistakes(config, config.ROLE),
        ...dateMistakes(config, systemClock.nowMs()),
      ])
      out(showConfig(resolved))
    })
}
