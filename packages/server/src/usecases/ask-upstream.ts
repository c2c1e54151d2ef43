import { ServiceError } from './service-error.ts'

const RETRY_AFTER_SECONDS = 2

/** Runs what depends on a chain node or a screener; its failure is theirs and passes. */
export async function askUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}
