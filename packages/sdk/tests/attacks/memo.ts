import type { Address, Instruction } from '@solana/kit'

/** A memo instruction with any public text. */
export const getAddMemoInstruction = (text: string): Instruction => ({
  programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
  data: new TextEncoder().encode(text),
})
