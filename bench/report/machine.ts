import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** The machine that ran a measurement. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  /**
   * The load average of the minute before the run. A value above a few tenths means that other programs were running.
   */
  readonly load: number
}

export function describeMachine(): Machine {
  const [load = 0] = loadavg()
  return {
    processor: cpus()[0]?.model.trim() ?? arch(),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1_073_741_824),
    system: `${type()} ${release().split('-')[0]} ${arch()}`,
    load: Math.round(load * 10) / 10,
  }
}
