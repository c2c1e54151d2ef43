import { EXIT } from '../exit-codes.ts'
import type { Failure } from '../explain-failure.ts'

/** True if the reader of the output has closed its end. */
export const isClosedPipe = (error: Error): boolean => 'code' in error && error.code === 'EPIPE'

/** The cause and the next step if a result couldn't be written. */
export function explainUnwritten({ message }: Error): Failure {
  return {
    code: 'OUTPUT_FAILED',
    message: `the result could not be written to standard output: ${message}`,
    next: 'free disk space, or write elsewhere. Then repeat a payment from a balance: nothing is paid twice. To see how a transfer ended, run: sotto send --resume',
    exitCode: EXIT.failure,
  }
}
