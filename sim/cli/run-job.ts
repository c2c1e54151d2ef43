import { fork } from 'node:child_process'
import { withBundledChild } from './bundle-child.ts'
import type { Job, Report } from './job.ts'

/**
 * Runs a job in a separate process.
 *
 * @throws Error if that process failed.
 */
export const runJob = (job: Job, onReport: (report: Report) => void): Promise<void> =>
  runJobs(job, 1, onReport)

function runIn(file: string, job: Job, onReport: (report: Report) => void): Promise<void> {
  // Nearly all objects of a run live for a short time. With a large young generation, the garbage collector has much
  // less work.
  const child = fork(file, { execArgv: ['--max-semi-space-size=64'] })
  return new Promise((resolve, reject) => {
    child.on('message', (report: Report) => onReport(report))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`a process of the simulator ended with ${code ?? signal}`))
    })
    child.send(job)
  })
}

/** Distributes the seeds over n processes: each process runs every n-th seed. */
export async function runJobs(
  job: Job,
  processes: number,
  onReport: (report: Report) => void,
): Promise<void> {
  const shares = Array.from({ length: Math.max(1, processes) }, (_, share) =>
    job.seeds.filter((_seed, index) => index % Math.max(1, processes) === share),
  )
  const busy = shares.filter((seeds) => seeds.length > 0)
  await withBundledChild(job.mutant, (file) =>
    Promise.all(busy.map((seeds) => runIn(file, { ...job, seeds }, onReport))),
  )
}
