import { showTime } from '../../look/durations.ts'
import type { Overview } from '../model/console-api.ts'
import { troublesOf } from '../model/health.ts'
import { CrowdPlots } from './crowd-plots.tsx'
import { Health } from './health.tsx'
import { Queue } from './queue.tsx'
import { Relayers } from './relayers.tsx'
import { Troubles } from './troubles.tsx'
import { Vaults } from './vaults.tsx'

interface Props {
  readonly overview: Overview
  /** The reason why the figures aren't current; undefined if they are. */
  readonly trouble: string | undefined
}

/** The state of the whole service on one page, with problems first. */
export function Dashboard({ overview, trouble }: Props) {
  const { takenAt, settlement, vaults } = overview
  return (
    <div class="grid">
      <h1 class="visually-hidden">State of the service</h1>
      {trouble === undefined ? null : (
        <div class="problem wide" role="alert">
          <h2>These figures are old</h2>
          <p>
            {trouble} They were read at {showTime(takenAt, true)}.
          </p>
        </div>
      )}
      <Health overview={overview} trouble={trouble} />
      <Queue overview={overview} />
      <Relayers settlement={settlement} />
      <Vaults vaults={vaults} />
      <CrowdPlots />
      <Troubles troubles={troublesOf(overview)} />
      <p class="hint wide">
        As of {showTime(takenAt, true)}. This page receives no orders, addresses or amounts of
        users, so it can’t show any.
      </p>
    </div>
  )
}
