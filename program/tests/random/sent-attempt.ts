import { adminAttempt } from './admin-attempt.ts'
import type { Attempt, Run } from './attempt.ts'
import { closeAttempt } from './close-attempt.ts'
import { depositAttempt } from './deposit-attempt.ts'
import { settleAttempt } from './settle-attempt.ts'
import type { SentStep } from './steps.ts'

/** The transaction of a step; undefined if the step has nothing to send. */
export async function sentAttempt(run: Run, step: SentStep): Promise<Attempt | undefined> {
  switch (step.kind) {
    case 'deposit':
      return depositAttempt(run, step)
    case 'settle':
      return settleAttempt(run, step)
    case 'close':
      return closeAttempt(run, step)
    case 'config':
    case 'asset':
    case 'rotate':
    case 'add':
    case 'remove':
    case 'collect':
      return adminAttempt(run, step)
  }
}
