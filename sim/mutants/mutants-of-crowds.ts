import { SETTLEMENT, mutant, type Mutant } from './mutant.ts'

/** Bugs in transfers that wait for a crowd. */
export const OF_CROWDS: readonly Mutant[] = [
  mutant(
    'delivers_what_missed_its_crowd',
    `${SETTLEMENT}/pay/next-step.ts`,
    "if (missed === 'deliver') return step",
    'return step',
    41,
  ),
  mutant(
    'takes_any_crowd',
    `${SETTLEMENT}/pay/crowds.ts`,
    'snapshot.open) >= crowd.min',
    'snapshot.open) >= 1',
    41,
  ),
]
