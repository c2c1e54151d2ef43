import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { listenForSignals } from './serve-command.ts'

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'the first signal stops the service, and a second signal (%s) ends the process',
  async (second) => {
    const codes: unknown[] = []
    // A signal to the process of the test would reach the listeners of the test runner too.
    const own = Object.assign(new EventEmitter(), {
      exit: (code?: unknown) => void codes.push(code),
    })
    const stopped = listenForSignals(own as unknown as NodeJS.Process).untilStop()
    own.emit('SIGTERM')
    await stopped
    expect(codes).toEqual([])
    // The first process of a container gets no signal for which it has no listener.
    expect(own.listenerCount(second)).toBeGreaterThan(0)
    own.emit(second)
    expect(codes).toEqual([1])
  },
)
