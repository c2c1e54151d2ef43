/** Names of Solana's public clusters by their genesis hash. Every other chain is private. */
export const PUBLIC_CLUSTERS: Readonly<Record<string, 'mainnet' | 'devnet' | 'testnet'>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
}
