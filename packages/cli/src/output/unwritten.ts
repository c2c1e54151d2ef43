import { EXIT } from '../exit-codes.ts'
import type { Failure } from '../explain-failure.ts'

/** True if the reader of the output has closed its end. */
export const isClosedPipe = (error: Error): boolean => 'code' in error && error.code === 'EPIPE'

/** The cause and the next step if a result couldn't be written. */
export function explainUnwritten({ message }: Error): Failure {
  return {
    code: 'OUTPUT_FAILED',
    message: `the result could not be written to standard output: ${message}`,
    next: 'free the disk or write elsewhere; repeat a payment from a balance, which pays nothing twice; see how a transfer ended with: sotto send --resume',
    exitCode: EXIT.failure,
  }
}
