import {
  bytesTypeNode,
  bytesValueNode,
  constantDiscriminatorNode,
  constantValueNode,
  fieldDiscriminatorNode,
  fixedSizeTypeNode,
  instructionAccountNode,
  instructionArgumentNode,
  instructionNode,
  numberTypeNode,
  numberValueNode,
  publicKeyTypeNode,
  structFieldTypeNode,
  type InstructionAccountNode,
  type InstructionArgumentNode,
  type InstructionNode,
  type TypeNode,
} from '@codama/nodes'

/** The types that occur in the program's data. All integers are little-endian. */
export const u8 = numberTypeNode('u8')
export const u16 = numberTypeNode('u16')
export const u32 = numberTypeNode('u32')
export const u64 = numberTypeNode('u64')
export const i64 = numberTypeNode('i64')
export const address = publicKeyTypeNode()
export const bytes = (size: number) => fixedSizeTypeNode(bytesTypeNode(), size)

/** A field: its name, its type, and its meaning if the name doesn't make it clear. */
export type Field = readonly [name: string, type: TypeNode, docs?: string]

export const field = ([name, type, docs]: Field) =>
  structFieldTypeNode({ name, type, ...(docs === undefined ? {} : { docs: [docs] }) })

const argument = ([name, type, docs]: Field): InstructionArgumentNode =>
  instructionArgumentNode({ name, type, ...(docs === undefined ? {} : { docs: [docs] }) })

interface AccountOptions {
  readonly isOptional?: boolean
  readonly docs?: string
}

const account =
  (isWritable: boolean, isSigner: boolean | 'either') =>
  (name: string, { isOptional = false, docs }: AccountOptions = {}): InstructionAccountNode =>
    instructionAccountNode({
      name,
      isWritable,
      isSigner,
      isOptional,
      ...(docs === undefined ? {} : { docs: [docs] }),
    })

export const readonly = account(false, false)
export const writable = account(true, false)
export const signer = account(false, true)
export const writableSigner = account(true, true)

/** An instruction: its tag, its accounts in order, and the data after the tag. */
export function instruction(
  tag: number,
  name: string,
  docs: string,
  accounts: readonly InstructionAccountNode[],
  fields: readonly Field[],
): InstructionNode {
  return instructionNode({
    name,
    docs: [docs],
    // An optional account that isn't needed is left out, and the accounts after it move up.
    optionalAccountStrategy: 'omitted',
    accounts: [...accounts],
    arguments: [
      instructionArgumentNode({
        name: 'tag',
        type: u8,
        defaultValue: numberValueNode(tag),
        defaultValueStrategy: 'omitted',
      }),
      ...fields.map(argument),
    ],
    discriminators: [fieldDiscriminatorNode('tag')],
  })
}

/** The discriminator of the program's accounts: the first byte of their data. */
export const kindDiscriminator = (discriminator: number) =>
  constantDiscriminatorNode(
    constantValueNode(
      bytes(1),
      bytesValueNode('base16', discriminator.toString(16).padStart(2, '0')),
    ),
    0,
  )
