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
  type TypeNode,
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

const array = (item: TypeNode, count: number) => arrayTypeNode(item, fixedCountNode(count))

const RECENT_ENTRY = structTypeNode(
  [['leaf', bytes(32)] as const, ['root', bytes(32)] as const].map((entry) => field(entry)),
)

/** The program's accounts, byte by byte as in docs/protocol.md. The bytes of a `gap` are zero. */
export const ACCOUNTS: readonly AccountNode[] = [
  account(
    'pool',
    1,
    176,
    'The one pool: its admin, authorisers and longest time to a deadline.',
    [
      ['depositsPaused', u8],
      ['gap', bytes(5)],
      ['admin', address],
      ['authoriser0', address, 'All zero bytes if the slot is unset.'],
      ['authoriser1', address, 'All zero bytes if the slot is unset.'],
      [
        'domain',
        bytes(32),
        'Binds authorisations to one pool on one cluster; big-endian, below the modulus.',
      ],
      ['tree', address],
      ['maxDepositSeconds', u32],
      ['rest', bytes(4)],
    ],
    'pool',
  ),
  account(
    'tree',
    2,
    116_000,
    'Every note of every asset, as a Merkle tree with four children for each node. Its address is not derived.',
    [
      ['gap', bytes(6)],
      ['nextIndex', u64],
      ['lastCheckpointHour', u64],
      ['rest', bytes(40)],
      [
        'leftSiblings',
        array(array(bytes(32), 3), 13),
        'For each level, the children that are complete.',
      ],
      ['recent', array(RECENT_ENTRY, 1_024), 'Leaf i and the root after it are at i % 1024.'],
      ['checkpoints', array(bytes(32), 1_536), 'The last root of hour h is at h % 1536.'],
    ],
  ),
  account(
    'asset',
    3,
    168,
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
      ['fees', u64],
      ['depositMax', u64],
      ['swapCap', u64],
      ['swapPeriodSeconds', u64],
      ['swapUpdatedAt', i64],
      ['swapUsed', u64],
    ],
    'asset',
  ),
  account(
    'order',
    4,
    56,
    'Exists if an order was deposited.',
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
    40,
    'Exists if a note was settled.',
    [
      ['gap', bytes(2)],
      ['closableAt', u32, 'Seconds since 1970.'],
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

/** The seeds of the derived addresses. The bump is always the canonical bump. */
export const PDAS: readonly PdaNode[] = [
  pda('pool'),
  pda('asset', ['mint', address]),
  pda('vault', ['mint', address]),
  pda('order', ['orderId', bytes(16)]),
  pda('nullifier', ['nullifier', bytes(32)]),
]
