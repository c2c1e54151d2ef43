import { ProblemNote } from '../problem-note.tsx'
import type { BalanceProps } from './balance-props.ts'
import { BalanceList } from './balance-list.tsx'
import { OpenBalance } from './open-balance.tsx'
import { RestoreFile } from './restore-file.tsx'
import { TopUp } from './top-up.tsx'

/** The view of this browser's balances: the list, a new balance, a balance from a file, or the open balance. */
export function Balances(props: BalanceProps) {
  const { place, problem, reread, topUpPhase } = props.book
  if (problem !== undefined) return <ProblemNote problem={problem} retry={reread} />
  // A top-up in progress takes precedence, because it may need the person's answer.
  if (place.kind === 'new' || topUpPhase.kind !== 'idle') return <TopUp {...props} />
  switch (place.kind) {
    case 'list':
      return <BalanceList {...props} />
    case 'file':
      return <RestoreFile {...props} />
    case 'open':
      return <OpenBalance {...props} run={place.run} draft={place.draft} key={place.run.name} />
  }
}
