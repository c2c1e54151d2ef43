import type { KillPoint } from './kill-point.ts'

type Call = `${KillPoint['port']}.${string}`

/**
 * Calls with lasting effects, which are always kill points. All other calls are kill points only with
 * SOTTO_CRASH_POINTS=all.
 */
const LASTING: readonly string[] = [
  ...['tryRecord', 'tryClaim', 'tryJournal', 'release', 'tryComplete', 'tryMarkDead'],
  ...['tryBeginRefund', 'prove', 'broadcast', 'close', 'clearEpoch', 'destroy', 'dropSettled'],
]
const isAll = process.env['SOTTO_CRASH_POINTS'] === 'all'

/** Kill points directly before and directly after each of these calls, in the order in which a transfer makes them. */
const around = (...calls: readonly Call[]): KillPoint[] =>
  calls.flatMap((call) => {
    const [port, method] = call.split('.') as [KillPoint['port'], string]
    if (!isAll && !LASTING.includes(method)) return []
    return (['before', 'after'] as const).map((when) => ({ port, method, when }))
  })

/**
 * The kill points from the deposit to `delivered`. In this time, a worker follows the chain, and plans, makes and
 * confirms the delivery.
 */
export const DELIVERING = around(
  'store.openCursor',
  'chain.readHead',
  'chain.readEntries',
  'secrets.read',
  'store.tryRecord',
  'store.listOpen',
  'store.tryClaim',
  'chain.readNullifiers',
  'chain.readPayee',
  'chain.readClock',
  'chain.readBalances',
  'prover.prove',
  'chain.sign',
  'chain.simulate',
  'store.tryJournal',
  'chain.broadcast',
  'store.release',
  'chain.findSettlement',
  'store.tryComplete',
)

/** The kill points from a payment's order to its signature. The process that answers requests makes these calls. */
export const ORDERING: readonly KillPoint[] = (['tryCreatePayment', 'trySign'] as const).flatMap(
  (method) => [
    { port: 'orders', method, when: 'before' },
    { port: 'orders', method, when: 'after' },
  ],
)

/** The kill points from a payment's signature to `delivered`. The last call also writes the rest of the balance. */
export const PAYING = around(
  'store.listPayments',
  'chain.readHead',
  'secrets.read',
  'store.tryClaim',
  'chain.readNullifiers',
  'chain.readClock',
  'chain.readPayee',
  'chain.readBalances',
  'prover.prove',
  'chain.sign',
  'chain.simulate',
  'store.tryJournal',
  'chain.broadcast',
  'store.release',
  'chain.findSettlement',
  'store.tryComplete',
)

/** The kill points for an attempt that was journalled but never sent, after its blockhash has expired. */
export const BURYING = around('store.tryMarkDead')

/** The kill points from the expiry of an order to `refunded`. */
export const REFUNDING = around(
  'store.tryBeginRefund',
  'prover.prove',
  'store.tryJournal',
  'chain.broadcast',
  'chain.findSettlement',
  'store.tryComplete',
)

export const RECLAIMING = around('chain.listClosable', 'chain.close')

/** The kill points during the destruction of an epoch's key. */
export const DESTROYING = around(
  'secrets.list',
  'store.readLedger',
  'store.readEpochEnd',
  'store.clearEpoch',
  'secrets.destroy',
  'store.dropSettled',
)
