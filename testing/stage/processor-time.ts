import { readFile } from 'node:fs/promises'

/** The unit in which the system counts processor time. */
const TICK_MS = 10
/** The index of the user time among the fields that follow the process's name. The system time is the next field. */
const USER_FIELD = 11

/**
 * The processor time that a process has used so far, without its children, in milliseconds. @throws Error if the
 * process has ended.
 */
export async function ownProcessorMs(pid: number): Promise<number> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The process's name is in brackets and may contain spaces.
  const fields = state.slice(state.lastIndexOf(')') + 2).split(' ')
  return (
    fields.slice(USER_FIELD, USER_FIELD + 2).reduce((sum, one) => sum + Number(one), 0) * TICK_MS
  )
}
