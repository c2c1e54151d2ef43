import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OtlpReceiver } from '../../packages/server/tests/tracing/otlp-receiver.ts'
import type { WatchedService } from './watched-service.ts'

/** The outputs of the service that could leak data. */
export interface Channels {
  readonly 'standard output': string
  readonly 'standard error': string
  readonly metrics: string
  readonly traces: string
  readonly errors: string
  /** The data that the operator's page shows. */
  readonly console: string
  readonly 'crash reports': string
}

export async function filesIn(folder: string): Promise<string> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
  return [...names, ...texts].join('\n')
}

/** Gathers all output so far. The output includes the names of dump and report files. */
export async function gatherChannels(from: {
  readonly service: WatchedService
  readonly scrapes: readonly string[]
  readonly collector: OtlpReceiver
  readonly refusals: readonly string[]
  readonly shown: readonly string[]
  readonly reports: string
}): Promise<Channels> {
  return {
    'standard output': from.service.out,
    'standard error': from.service.err,
    metrics: from.scrapes.join('\n'),
    traces: from.collector.bodies.join('\n'),
    errors: from.refusals.join('\n'),
    console: from.shown.join('\n'),
    'crash reports': await filesIn(from.reports),
  }
}
