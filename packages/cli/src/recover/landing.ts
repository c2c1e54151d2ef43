import type { Landing, LandingStep } from '@sotto/recovery'
import type { CliContext } from '../context.ts'

/**
 * Shows what happens to a settlement until the chain confirms it. Each signature is shown before its transaction is
 * sent for the first time, and stays on the screen. A script gets the signature too. So the user knows the signature
 * even if the process is killed. Ctrl-C ends the wait.
 */
export const landingOf = ({ output, signal }: Pick<CliContext, 'output' | 'signal'>): Landing => ({
  signal,
  onStep: (step) => {
    if (step.kind === 'signed') output.record(recordOf(step), showSigned(step))
    if (step.kind === 'dead')
      output.note(`the transaction ${step.signature} did not land, and it never will`)
    else output.progress.doing(showWait(step))
  },
})

const recordOf = ({ attempt, signature, priorityFeeLamports }: LandingStep) => ({
  settlement: { attempt, signature, priorityFeeLamports },
})

const showSigned = ({ signature, priorityFeeLamports: fee, attempt }: LandingStep): string =>
  `settlement ${attempt}: ${signature}, which offers ${fee} lamports of priority fee`

const showWait = ({ kind, attempt }: LandingStep): string =>
  `waiting until the chain confirms settlement ${attempt}${kind === 'sent_again' ? ', which is sent again every few seconds' : ''}`
