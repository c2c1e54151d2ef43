import type { Stage, Transfer } from '../stage.ts'

/** The transfers whose transactions the node still shows. */
export const shownTransfers = ({ transfers }: Pick<Stage, 'transfers'>): Transfer[] =>
  transfers.filter(({ isPruned }) => isPruned !== true)
