import { SETTLEMENT, mutant, type Mutant } from './mutant.ts'

/** Bugs in transfers that wait for a crowd. */
export const OF_CROWDS: readonly Mutant[] = [
  {
    name: 'delivers_what_missed_its_crowd',
    seedsMax: 120,
    edits: [
      {
        path: `${SETTLEMENT}/pay/next-step.ts`,
        find: "if (missed === 'deliver') return step",
        replace: 'return step',
      },
      {
        // Without this edit, the service would count the crowd once more before it signs the delivery.
        path: `${SETTLEMENT}/pay/deliver.ts`,
        find: "if (crowd.missed === 'deliver' && clock >= waitEnd(opened.note.expiry)) return true",
        replace: 'if (clock >= waitEnd(opened.note.expiry)) return true',
      },
    ],
  },
  mutant(
    'takes_any_crowd',
    `${SETTLEMENT}/pay/crowds.ts`,
    'snapshot.open) >= crowd.min',
    'snapshot.open) >= 1',
    41,
  ),
]
