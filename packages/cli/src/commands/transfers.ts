import type { CliContext } from '../context.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { rowsTable } from '../output/table.ts'
import { listStates, readState, resumeState, UNSIGNED } from '../transfers/state-file.ts'

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

/**
 * `transfers drop`: abandons a transfer that the wallet has not signed, so that no later `--resume` pays it.
 * @throws CliError TRANSFER_MAY_BE_PAID for every other transfer.
 */
export async function runTransfersDrop(
  { settings, output }: CliContext,
  transfer: string,
): Promise<void> {
  const { file, state } = await resumeState(settings.home, transfer)
  try {
    const { name } = file
    const { step } = state
    if (!UNSIGNED.has(step)) {
      throw new CliError(
        EXIT.unfinished,
        'TRANSFER_MAY_BE_PAID',
        `the transfer ${name} is at the step "${step}", so it may be paid`,
        `continue it with: sotto send --resume ${name}`,
      )
    }
    await file.remove()
    const shown = { kind: 'dropped', name, step }
    output.result(
      shown,
      () => `The transfer ${name} is dropped. The wallet has signed nothing for it.`,
    )
  } finally {
    file.release()
  }
}
