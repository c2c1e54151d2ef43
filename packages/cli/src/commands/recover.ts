import { NATIVE_MINT, PROGRAM_SHA256, type Amount, type Ticket } from '@sotto/protocol'
import type { AcceptedPrograms, PriorityLimits } from '@sotto/recovery'
import { readDecimals, type CliRpc } from '../amounts/mint-decimals.ts'
import { toDecimal } from '../amounts/decimal.ts'
import type { CliContext } from '../context.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import { fieldsTable } from '../output/table.ts'
import type { FindOptions } from '../recover/find-note.ts'
import type { NoteState } from '../recover/note-state.ts'
import { readTicket } from '../recover/read-ticket.ts'

export const trackingIdOf = ({ orderId }: Ticket): string =>
  `tr_${Buffer.from(orderId).toString('base64url')}`

/** `recover show`: shows a ticket's amounts and the actions that are possible now. */
export async function runShow(context: CliContext, name: string): Promise<void> {
  const ticket = await readTicket(name, context.settings.home)
  const { readNoteState } = await import('../recover/note-state.ts')
  const rpc = await context.rpc(context.signal)
  const state = await readNoteState(rpc, ticket, context.settings.isLocalChain)
  const { note, program } = ticket
  const { claim } = note
  const shown = {
    trackingId: trackingIdOf(ticket),
    ...{ program, sender: note.sender, assetId: note.mint, value: note.value },
    ...(claim.kind === 'transfer'
      ? { recipient: claim.recipient, amountOut: claim.amountOut }
      : {}),
    refund: note.value,
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
      ['recipient', shown.recipient],
      ['asset', note.mint],
      [
        'delivery pays',
        shown.amountOut === undefined ? undefined : showUnits(shown.amountOut, decimals),
      ],
      ['refund pays', showUnits(shown.refund, decimals)],
      ['deliverable until', shown.deliverBy],
      ["chain's clock", shown.chainTime],
      ['deposit', DEPOSIT[state.deposit]],
      ['settled', claim.kind === 'balance' ? NOT_READ : showSettled(state)],
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

/** Each payment gives a balance a new note, so the first deposit doesn't show what is possible. */
const NOT_READ = 'not read for a balance: only the clock is considered'

async function decimalsOf(rpc: CliRpc, { note }: Ticket): Promise<number | undefined> {
  return note.mint === NATIVE_MINT ? 9 : readDecimals(rpc, note.mint)
}

const showUnits = (units: bigint, decimals: number | undefined): string =>
  decimals === undefined ? `${units} base units` : toDecimal(units, decimals)

/** The sources for the note's position, and the limits for the transaction that the keypair signs. */
export interface SettleOptions extends FindOptions {
  /** In lamports. */
  readonly minPriorityFee?: Amount
  readonly maxPriorityFee?: Amount
  /** SHA-256 of the code of another program, as hex. */
  readonly acceptProgram?: string
}

export const limitsOf = ({
  minPriorityFee,
  maxPriorityFee,
  acceptProgram,
}: SettleOptions): PriorityLimits & AcceptedPrograms => ({
  priorityFeeMinLamports: minPriorityFee,
  priorityFeeMaxLamports: maxPriorityFee,
  acceptedPrograms: [PROGRAM_SHA256, ...(acceptProgram === undefined ? [] : [acceptProgram])],
})

/** `recover deliver` and `recover refund`: settle a note with only a ticket, a node and the prover. */
export async function runSettle(
  context: CliContext,
  kind: 'deliver' | 'refund',
  name: string,
  options: SettleOptions,
): Promise<void> {
  const { output, settings } = context
  const ticket = await readTicket(name, settings.home)
  const payer = await context.signer()
  const rpc = await context.rpc(context.signal)
  const [{ landNote }, { wasmPoseidon: poseidon }, { proveWith }, { finding }, { landingOf }] =
    await Promise.all([
      import('@sotto/recovery'),
      import('@sotto/poseidon'),
      import('../recover/prove.ts'),
      import('../recover/find-note.ts'),
      import('../recover/landing.ts'),
    ])
  const { isLocalChain } = settings
  const use = { rpc, poseidon, prove: proveWith(output), ticket, kind, payer, isLocalChain }
  const signature = await finding(context, ticket, options, (found) =>
    landNote({ ...found, ...limitsOf(options), ...use }, landingOf(context)),
  )
  const { note } = ticket
  const payee =
    kind === 'deliver' && note.claim.kind === 'transfer' ? note.claim.recipient : note.sender
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
