import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports/clock.ts'

/**
 * Ends the connection of a body that hasn't arrived in time, whatever was answered meanwhile. The
 * server's own request timeout was seen not to end connections once the headers are complete.
 */
export function cutSlowBody(message: IncomingMessage, clock: Clock, arrivalMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
  if (length === undefined && encoding === undefined) return
  const arrived = new AbortController()
  // With a reason of its own: the default is an error with a stack, made for every request.
  message.once('close', () => arrived.abort('closed'))
  const cut = () => {
    if (!message.complete) message.socket.destroy()
  }
  // A sleep that is called off resolves too; a complete message is left alone either way.
  void clock.sleep(arrivalMs, arrived.signal).then(cut)
}
