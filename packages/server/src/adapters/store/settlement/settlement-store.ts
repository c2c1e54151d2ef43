import type { SettlementStore } from '../../../ports/settlement-store.ts'
import type { Database } from '../sql.ts'
import { tryBeginRefund } from './begin-refund.ts'
import { tryClaim } from './claim-order.ts'
import { clearEpoch } from './clear-epoch.ts'
import { tryComplete } from './complete-order.ts'
import { halt } from './halt.ts'
import { hasStrangeLeaf } from './has-strange-leaf.ts'
import { tryJournal } from './journal-attempt.ts'
import { listOpen } from './list-open.ts'
import { listUnseen } from './list-unseen.ts'
import { tryMarkDead } from './mark-dead.ts'
import { markSeen } from './mark-seen.ts'
import { openCursor } from './open-cursor.ts'
import { readAwaiting } from './read-awaiting.ts'
import { readCursor } from './read-cursor.ts'
import { readEpochEnd } from './read-epoch-end.ts'
import { readKnownLeaves } from './read-known-leaves.ts'
import { readLeaves } from './read-leaves.ts'
import { tryRecord } from './record-batch.ts'
import { releaseLease } from './release-lease.ts'
import { tryReplacePlan } from './replace-plan.ts'

/** Settlement's store on a SQL database. */
export function createSettlementStore(database: Database): SettlementStore {
  return {
    openCursor: (program, domain, nowMs) => openCursor(database, program, domain, nowMs),
    readCursor: () => readCursor(database),
    readLeaves: (from) => readLeaves(database, from),
    readKnownLeaves: (orderIds) => readKnownLeaves(database, orderIds),
    readAwaiting: (orderIds) => readAwaiting(database, orderIds),
    tryRecord: (batch, nowMs) => tryRecord(database, batch, nowMs),
    listUnseen: (limit) => listUnseen(database, limit),
    markSeen: (orderIds, nowMs) => markSeen(database, orderIds, nowMs),
    listOpen: () => listOpen(database),
    tryClaim: (orderId, owner, nowMs, untilMs) =>
      tryClaim(database, orderId, owner, nowMs, untilMs),
    release: (lease) => releaseLease(database, lease),
    tryJournal: (lease, attempt) => tryJournal(database, lease, attempt),
    tryMarkDead: (orderId, number) => tryMarkDead(database, orderId, number),
    tryBeginRefund: (lease, plan, nowMs) => tryBeginRefund(database, lease, plan, nowMs),
    tryReplacePlan: (lease, plan) => tryReplacePlan(database, lease, plan),
    tryComplete: (outcome, nowMs) => tryComplete(database, outcome, nowMs),
    halt: (reason) => halt(database, reason),
    readEpochEnd: (epoch) => readEpochEnd(database, epoch),
    hasStrangeLeaf: () => hasStrangeLeaf(database),
    clearEpoch: (epoch) => clearEpoch(database, epoch),
  }
}
