import type { Step } from './steps.ts'

interface Found {
  readonly when: string
  readonly steps: readonly Step[]
}

/** Sequences of steps that once revealed a fault. Every run of the random tests repeats them. */
export const FOUND: readonly Found[] = [
  {
    // The sequence has notes of both assets. Some notes are refunded days after other notes were deposited.
    when: 'when a refund comes days after another deposit',
    steps: [
      {
        kind: 'deposit',
        source: 0,
        isSwap: false,
        sender: 1764192639,
        value: 3446208761n,
        partnerFee: 0n,
        key: 0,
        hostility: 'authorisation passed',
      },
      { kind: 'collect', by: 'admin', asset: 1, quantity: 0n },
      { kind: 'jump', note: 769430387, to: 'last refund', shift: 0n },
      { kind: 'outlive', pick: 1586638363, shift: -1n },
      { kind: 'jump', note: 3668815, to: 'refund', shift: -1n },
      { kind: 'close', what: 'order', picks: [904269834], hostility: 'as the other kind' },
      {
        kind: 'settle',
        proof: 1921014438,
        isTimely: false,
        root: 'checkpoint',
        tampering: undefined,
      },
      {
        kind: 'deposit',
        source: 1,
        isSwap: false,
        sender: 1759769043,
        value: 1313469506n,
        partnerFee: 25000n,
        key: 0,
        hostility: undefined,
      },
      { kind: 'settle', proof: 1988872955, isTimely: true, root: 'other', tampering: 'other kind' },
      { kind: 'collect', by: 'admin', asset: 0, quantity: 4586850n },
      {
        kind: 'asset',
        by: 'admin',
        asset: 1,
        depositsPaused: true,
        depositMax: 1000000000n,
        swapCap: 18446744073709551615n,
        swapPeriodSeconds: 3600,
      },
      { kind: 'settle', proof: 26146648, isTimely: false, root: 'recent', tampering: undefined },
      { kind: 'outlive', pick: 604333934, shift: 1n },
      { kind: 'outlive', pick: 1679049879, shift: -1n },
      {
        kind: 'settle',
        proof: 1035684140,
        isTimely: true,
        root: 'checkpoint',
        tampering: undefined,
      },
      { kind: 'settle', proof: 690432413, isTimely: true, root: 'other', tampering: undefined },
    ],
  },
]
