import { NATIVE_MINT, type NotePosition, type Ticket } from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { readDecimals, type CliRpc } from '../amounts/mint-decimals.ts'
import { toDecimal } from '../amounts/decimal.ts'
import { nowMs, sleep } from '../clock.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import { fieldsTable } from '../output/table.ts'
import type { NoteState } from '../recover/note-state.ts'
import { readPosition } from '../recover/read-position.ts'
import { readTicket } from '../recover/read-ticket.ts'

export interface SettleOptions {
  /** A file with a status record or its `recoveryProof`. */
  readonly path?: string
  /** A file with the pool's first leaves. */
  readonly leaves?: string
}

const trackingIdOf = ({ orderId }: Ticket): string =>
  `tr_${Buffer.from(orderId).toString('base64url')}`

/** `recover show`: a ticket's amounts, and what it can do now. */
export async function runShow(context: CliContext, name: string): Promise<void> {
  const ticket = await readTicket(name, context.settings.home)
  const { readNoteState } = await import('../recover/note-state.ts')
  const rpc = await context.rpc()
  const state = await readNoteState(rpc, ticket)
  const { note, program } = ticket
  const shown = {
    trackingId: trackingIdOf(ticket),
    ...{ program, sender: note.sender, recipient: note.recipient, assetId: note.mint },
    amountOut: note.amountOut,
    refund: note.amountOut + note.feeBack,
    deliverBy: isoOfSeconds(note.expiry),
    chainTime: isoOfSeconds(state.chainSeconds),
    ...{ deposit: state.deposit, settled: state.isSettled ?? null, possible: state.possible },
  }
  const decimals = await decimalsOf(rpc, ticket)
  context.output.result(shown, () =>
    fieldsTable([
      ['tracking id', shown.trackingId],
      ['program', program],
      ['sender', note.sender],
      ['recipient', note.recipient],
      ['asset', note.mint],
      ['delivery pays', showUnits(note.amountOut, decimals)],
      ['refund pays', `${showUnits(shown.refund, decimals)} at most`],
      ['deliverable until', shown.deliverBy],
      ["chain's clock", shown.chainTime],
      ['deposit', DEPOSIT[state.deposit]],
      ['settled', showSettled(state)],
      ['possible now', state.possible],
    ]),
  )
}

function showSettled({ isSettled, settled }: NoteState): string | undefined {
  if (settled === undefined) return isSettled === undefined ? undefined : 'no'
  return `${settled.kind} ${isoOfSeconds(settled.atSeconds)}`
}

const DEPOSIT = {
  paid: 'on the chain',
  taken: "another wallet used the order's id: this ticket's deposit can't have been paid",
  unknown: 'not visible: never paid, or paid so long ago that its account was closed',
} as const

async function decimalsOf(rpc: CliRpc, { note }: Ticket): Promise<number | undefined> {
  return note.mint === NATIVE_MINT ? 9 : readDecimals(rpc, note.mint)
}

const showUnits = (units: bigint, decimals: number | undefined): string =>
  decimals === undefined ? `${units} base units` : toDecimal(units, decimals)

/** `recover deliver` and `recover refund`: settles a note with only a ticket, a node and the prover. */
export async function runSettle(
  context: CliContext,
  kind: 'deliver' | 'refund',
  name: string,
  options: SettleOptions,
): Promise<void> {
  const { output, settings } = context
  const ticket = await readTicket(name, settings.home)
  const payer = await context.signer()
  const rpc = await context.rpc()
  const [{ settleNote }, { poseidon }, { proveOnce }] = await Promise.all([
    import('@sotto/recovery'),
    import('../recover/poseidon.ts'),
    import('../recover/prove.ts'),
  ])
  const position = await findPosition(context, rpc, ticket, options)
  const signature = await settleNote({
    ...{ rpc, poseidon, ticket, kind, payer, position },
    prove: (inputs) => {
      output.progress.doing('proving; this takes some seconds')
      return proveOnce(inputs)
    },
  })
  output.progress.doing('waiting until the chain confirms it')
  await confirm(context, rpc, signature)
  const { note } = ticket
  const payee = kind === 'deliver' ? note.recipient : note.sender
  const trackingId = trackingIdOf(ticket)
  output.result({ kind, trackingId, signature, payee, assetId: note.mint }, () =>
    fieldsTable([
      ['settled by', kind === 'deliver' ? 'delivery' : 'refund'],
      ['tracking id', trackingId],
      ['paid to', payee],
      ['asset', note.mint],
      ['transaction', signature],
    ]),
  )
}

/** Takes the position from a status record, from leaves and the chain, or from the chain alone. */
async function findPosition(
  { output }: CliContext,
  rpc: CliRpc,
  ticket: Ticket,
  { path, leaves }: SettleOptions,
): Promise<NotePosition> {
  if (path !== undefined) return readPosition(path)
  const { positionFromChain } = await import('@sotto/recovery')
  const { poseidon } = await import('../recover/poseidon.ts')
  const { readLeaves } = await import('../recover/read-leaves.ts')
  const known = leaves === undefined ? [] : await readLeaves(leaves)
  output.progress.doing('rebuilding the tree of notes')
  return positionFromChain(rpc, poseidon, ticket, {
    known,
    onProgress: (count) => output.progress.doing(`rebuilding the tree: ${count} transactions read`),
  })
}

/** Longer than a blockhash is valid. */
const PATIENCE_MS = 120_000
const POLL_MS = 500

async function confirm({ signal }: CliContext, rpc: CliRpc, signature: Signature): Promise<void> {
  const endMs = nowMs() + PATIENCE_MS
  while (nowMs() < endMs) {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    const found = value[0] ?? undefined
    if (found !== undefined && found.err !== null) {
      const message = 'the settlement failed on chain'
      throw new CliError(EXIT.failure, 'SETTLEMENT_FAILED', message, 'see: sotto recover show')
    }
    if (found !== undefined && found.confirmationStatus !== 'processed') return
    await sleep(POLL_MS, signal)
  }
  throw new CliError(
    EXIT.unavailable,
    'SETTLEMENT_UNKNOWN',
    'it is not known yet whether the settlement landed',
    'run the same command again: a note is settled at most once, so nothing is paid twice',
  )
}
