import { readFileSync } from 'node:fs'
import { isAddress } from '@solana/kit'
import { Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { Program } from './chain/load-program.ts'
import { DEFAULT_PORT, DEFAULT_SLOT_MS } from './start.ts'

export interface CommandLine {
  readonly port: number
  readonly host: string
  readonly data: string | undefined
  readonly program: readonly Program[]
  readonly slotMs: number
  readonly rent: bigint | undefined
  readonly standardOnly: boolean
  readonly json: boolean
}

/** The highest allowed port: WebSocket uses the port after it. */
const MAX_PORT = 65_534
const MAX_SLOT_MS = 60_000
const MAX_RENT = 1_000_000

/** Parses the command line. For an error or a request for help, Commander prints a text and ends the process. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const command = new Command('localnet')
    .description('A local Solana chain: JSON-RPC over HTTP, subscriptions over WebSocket.')
    .option(
      '--port <port>',
      'port of JSON-RPC; WebSocket takes the next port; 0 means any two free ports',
      parsePort,
      DEFAULT_PORT,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <folder>', 'folder that keeps the chain (default: in memory)')
    .option(
      '--program <address=path[:authority]>',
      'loads a program, with its upgrade authority if given; repeatable',
      collectProgram,
      [] as Program[],
    )
    .option('--slot-ms <ms>', 'milliseconds per slot', parseSlotMs, DEFAULT_SLOT_MS)
    .option('--rent <lamports>', "an account's lamports per byte (default: 6960)", parseRent)
    .option('--standard-only', "answers only Solana's own methods, as a public node does", false)
    .option('--json', 'prints one line of JSON with rpcUrl and wsUrl', false)
    .allowExcessArguments(false)
  command.parse([...argv], { from: 'user' })
  return command.opts<CommandLine>()
}

function parsePort(text: string): number {
  return parseCount(text, 0, MAX_PORT)
}

function parseRent(text: string): bigint {
  return BigInt(parseCount(text, 1, MAX_RENT))
}

function parseSlotMs(text: string): number {
  return parseCount(text, 1, MAX_SLOT_MS)
}

function parseCount(text: string, least: number, most: number): number {
  const count = z.coerce.number().int().min(least).max(most).safeParse(text)
  if (count.success && /^\d+$/.test(text)) return count.data
  throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
}

function collectProgram(text: string, programs: Program[]): Program[] {
  const [, address = '', rest = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
  if (!isAddress(address)) {
    throw new InvalidArgumentError('Give <address>=<path of the .so>[:<upgrade authority>].')
  }
  const colon = rest.lastIndexOf(':')
  const last = rest.slice(colon + 1)
  // A path may contain a colon, so the text after a colon is an authority only if it is an address.
  const authority = colon > 0 && isAddress(last) ? last : null
  const path = authority === null ? rest : rest.slice(0, colon)
  return [...programs, { address, bytes: readProgram(path), upgradeAuthority: authority }]
}

function readProgram(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path))
  } catch {
    throw new InvalidArgumentError(`The program file ${path} can't be read.`)
  }
}
