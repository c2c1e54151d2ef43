import type { Stage, Transfer } from '../stage.ts'

/** The transfers whose transactions the node hasn't deleted. */
export const shownTransfers = ({ transfers }: Pick<Stage, 'transfers'>): Transfer[] =>
  transfers.filter(({ isPruned }) => isPruned !== true)
