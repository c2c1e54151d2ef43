import type { Command } from 'commander'
import type { WithContext } from '../context.ts'
import { registerPoolConfig } from './pool-config.ts'
import { registerPoolInit } from './pool-init.ts'
import { registerPoolResume } from './pool-resume.ts'
import { registerPoolRotate } from './pool-rotate.ts'
import { registerPoolShow } from './pool-show.ts'

/** `pool init | config | rotate | show | resume`. */
export function registerPoolCommands(program: Command, withContext: WithContext): void {
  const pool = program.command('pool').description('The pool on chain.')
  registerPoolInit(pool, withContext)
  registerPoolConfig(pool, withContext)
  registerPoolRotate(pool, withContext)
  registerPoolShow(pool, withContext)
  registerPoolResume(pool, withContext)
}
