import { Option, type Command } from 'commander'
import type { Config, Role } from '../config.ts'
import { crashQuietly } from '../start/crash-quietly.ts'
import { serve } from '../start/serve.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const STOPPING = `
SIGTERM, SIGINT and SIGHUP stop the service. While the process starts, they end it immediately. Later,
/readyz first answers 503. For SOTTO_DRAIN_SECONDS the service still accepts requests, and then answers
the requests in progress (10 s at most). Payments in progress are journalled or abandoned (20 s at most),
and their leases are released. Then provers, webhooks and the metrics port may take 10 s each. A second
signal ends the process immediately; other workers then get the process's orders when the leases of these
orders end, a few seconds later.`

/** `serve`: runs until the process receives a signal, then stops cleanly. */
export function registerServeCommand(
  program: Command,
  readConfig: (roles?: readonly Role[]) => Config,
  out: (result: object) => void,
): void {
  program
    .command('serve')
    .description('Run the service until it is stopped.')
    .addOption(
      new Option(
        '--role <roles>',
        'roles of this process: api answers HTTP, worker follows the chain and pays (default: ' +
          'SOTTO_ROLE, or both); with PostgreSQL run any number of processes of each role; the embedded ' +
          'database needs both roles in one process',
      ).choices(['api', 'worker', 'api,worker']),
    )
    .addHelpText('after', STOPPING)
    .action(async ({ role }: { role?: string }) => {
      crashQuietly()
      const named = role === undefined ? undefined : (role.split(',') as Role[])
      const config = readConfig(named)
      const roles = named ?? config.ROLE
      const signals = listenForSignals()
      const service = await serve(config, roles)
      const { baseUrl, consoleUrl } = service
      const stopRequested = signals.untilStop()
      out({
        ...(baseUrl === undefined ? {} : { baseUrl, docsUrl: `${baseUrl}/docs` }),
        ...(baseUrl === undefined || config.WEB_API_KEY === undefined
          ? {}
          : { sendUrl: `${baseUrl}/send` }),
        ...(consoleUrl === undefined ? {} : { consoleUrl }),
        cluster: config.CLUSTER,
        database:
          config.DATABASE_URL === undefined
            ? 'embedded: one process, not for production'
            : 'PostgreSQL',
        roles: roles.join(','),
      })
      await stopRequested
      await service.stop()
    })
}

/**
 * Listens for the signals that stop the service. A process that still starts has nothing to finish, so a signal ends it
 * immediately. Without a listener, the first process of a container would ignore the signal, and would serve until it
 * is killed in the middle of its work.
 */
export function listenForSignals(own: Pick<NodeJS.Process, 'on' | 'exit'> = process): {
  readonly untilStop: () => Promise<void>
} {
  let stop = (): void => own.exit()
  for (const signal of SIGNALS) own.on(signal, () => stop())
  const untilStop = () =>
    new Promise<void>((resolve) => {
      stop = () => {
        // A second signal, of any kind, ends the process immediately.
        stop = () => own.exit(1)
        resolve()
      }
    })
  return { untilStop }
}
