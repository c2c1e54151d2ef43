import type { Landing, LandingStep } from '@sotto/recovery'
import { sleep } from '../clock.ts'
import type { CliContext } from '../context.ts'

/** Shows what happens to a settlement until the chain confirms it. Ctrl-C ends the wait. */
export const landingOf = ({ output, signal }: Pick<CliContext, 'output' | 'signal'>): Landing => ({
  sleep: (ms) => sleep(ms, signal),
  onStep: (step) => output.progress.doing(showLanding(step)),
})

function showLanding({ kind, signature, priorityFeeLamports: fee, attempt }: LandingStep): string {
  if (kind === 'dead') return `${signature} did not land, and it never will: nothing was paid yet`
  const tries = attempt === 1 ? '' : `settlement ${attempt}; `
  const again = kind === 'sent_again' ? ', and is sent again every few seconds' : ''
  return `${tries}waiting until the chain confirms ${signature}, which offers ${fee} lamports of priority fee${again}`
}
