import {
  accountNode,
  arrayTypeNode,
  fixedCountNode,
  pdaLinkNode,
  pdaNode,
  constantPdaSeedNode,
  sizeDiscriminatorNode,
  stringTypeNode,
  stringValueNode,
  structTypeNode,
  variablePdaSeedNode,
  type AccountNode,
  type PdaNode,
} from '@codama/nodes'
import { address, bytes, field, i64, kindDiscriminator, u32, u64, u8, type Field } from './nodes.ts'

const HEAD: readonly Field[] = [
  ['discriminator', u8],
  ['bump', u8],
]

function account(
  name: string,
  discriminator: number,
  size: number,
  docs: string,
  fields: readonly Field[],
  pda?: string,
): AccountNode {
  return accountNode({
    name,
    size,
    docs: [docs],
    data: structTypeNode([...HEAD, ...fields].map(field)),
    discriminators: [kindDiscriminator(discriminator), sizeDiscriminatorNode(size)],
    ...(pda === undefined ? {} : { pda: pdaLinkNode(pda) }),
  })
}

const array = (item: ReturnType<typeof bytes>, count: number) =>
  arrayTypeNode(item, fixedCountNode(count))

/** The program's accounts, byte by byte as docs/protocol.md has them; `gap` is zero. */
export const ACCOUNTS: readonly AccountNode[] = [
  account(
    'pool',
    1,
    200,
    'The one pool: its admin, authorisers and limits.',
    [
      ['depositsPaused', u8],
      ['gap', bytes(5)],
      ['admin', address],
      ['authoriser0', address, 'All zero where it is unset.'],
      ['authoriser1', address, 'All zero where it is unset.'],
      ['domain', bytes(32), 'Separates clusters.'],
      ['tree', address],
      ['maxDepositSeconds', u32],
      ['maxDeliverySeconds', u32],
      ['rest', bytes(24)],
    ],
    'pool',
  ),
  account(
    'tree',
    2,
    66_432,
    'Every note of every asset, as a Merkle tree. Not at a derived address.',
    [
      ['gap', bytes(6)],
      ['nextIndex', u64],
      ['lastCheckpointHour', u64],
      ['rest', bytes(40)],
      ['filledSubtrees', array(bytes(32), 26)],
      ['roots', array(bytes(32), 1_024), 'The root after leaf i at i % 1024.'],
      ['checkpoints', array(bytes(32), 1_024), 'The last root of hour h at h % 1024.'],
    ],
  ),
  account(
    'asset',
    3,
    256,
    'The books of one mint, in its base units.',
    [
      ['kind', u8, '0 native, 1 SPL Token, 2 Token-2022.'],
      ['decimals', u8],
      ['vaultBump', u8],
      ['depositsPaused', u8],
      ['gap', bytes(2)],
      ['mint', address],
      ['vault', address],
      ['assetHash', bytes(32)],
      ['owed', u64],
      ['inventory', u64],
      ['feesDay', u64],
      ['feesToday', u64],
      ['feesYesterday', u64],
      ['feesCollectable', u64],
      ['depositMax', u64],
      ['swapCap', u64],
      ['swapPeriodSeconds', u64],
      ['swapUpdatedAt', i64],
      ['swapUsed', u64],
      ['rest', bytes(64)],
    ],
    'asset',
  ),
  account(
    'order',
    4,
    56,
    'A deposit that was made.',
    [
      ['gap', bytes(6)],
      ['deadline', i64],
      ['leafIndex', u64],
      ['sender', address],
    ],
    'order',
  ),
  account(
    'nullifier',
    5,
    48,
    'A note that was settled.',
    [
      ['gap', bytes(6)],
      ['closableAt', i64],
      ['rentPayer', address],
    ],
    'nullifier',
  ),
]

const label = (text: string) => constantPdaSeedNode(stringTypeNode('utf8'), stringValueNode(text))

const pda = (name: string, ...seeds: Parameters<typeof variablePdaSeedNode>[]): PdaNode =>
  pdaNode({
    name,
    seeds: [label(name), ...seeds.map((seed) => variablePdaSeedNode(...seed))],
  })

/** The derived addresses; bumps are always the canonical ones. */
export const PDAS: readonly PdaNode[] = [
  pda('pool'),
  pda('asset', ['mint', address]),
  pda('vault', ['mint', address]),
  pda('order', ['orderId', bytes(16)]),
  pda('nullifier', ['nullifier', bytes(32)]),
]
