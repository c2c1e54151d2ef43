import { afterEach, expect, it, vi } from 'vitest'
import { listenForSignals } from './serve-command.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const before = SIGNALS.map((signal) => process.listeners(signal))

afterEach(() => {
  vi.restoreAllMocks()
  SIGNALS.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.off(signal, listener)
    }
  })
})

it.each(SIGNALS)(
  'the first signal stops the service, and a second signal (%s) ends the process',
  async (second) => {
    const codes: unknown[] = []
    vi.spyOn(process, 'exit').mockImplementation((code) => void codes.push(code) as never)
    const stopped = listenForSignals().untilStop()
    process.emit('SIGTERM')
    await stopped
    expect(codes).toEqual([])
    // The first process of a container gets no signal for which it has no listener.
    expect(process.listenerCount(second)).toBeGreaterThan(0)
    process.emit(second)
    expect(codes).toEqual([1])
  },
)
