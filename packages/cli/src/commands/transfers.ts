import type { CliContext } from '../context.ts'
import { rowsTable } from '../output/table.ts'
import { listStates, readState } from '../transfers/state-file.ts'

/** `transfers`: lists this machine's unfinished transfers, which `--resume` can continue. */
export async function runTransfers({ settings, output }: CliContext): Promise<void> {
  const transfers: { name: string; step: string; trackingId: string | null }[] = []
  for (const name of await listStates(settings.home)) {
    const state = await readState(settings.home, name)
    if (state === undefined) continue
    const trackingId = 'order' in state ? state.order.trackingId : null
    transfers.push({ name, step: state.step, trackingId })
  }
  output.result({ transfers }, () =>
    rowsTable(
      ['name', 'step', 'tracking id'],
      transfers.map(({ name, step, trackingId }) => [name, step, trackingId ?? '']),
      output.width,
    ),
  )
}
