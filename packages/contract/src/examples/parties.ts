// SOL and USDC have the addresses of their mints on mainnet. The local chain of `npm start` has mints at the same
// addresses, so that every example works there unchanged. Each wallet's address is a hash of its name, so the wallets
// have no known private keys.
export const SOL = 'So11111111111111111111111111111111111111112'
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const SENDER = '221BsAMBx92sro1kASVpfKhJzRwC1G6rFcjFJPL8Rg2H'
export const RECIPIENT = '8A7S9VY6oP8JMjrYBqcwYQQWutEF4a4Dg7MN2WxK26YG'
export const PARTNER = '9ty6mjvVcJw81t6zyBZiTTiQwtDVzaQb6TMVoq3aCx7B'

/** The wallets in every example request. */
export const WALLETS = { senderAddress: SENDER, recipientAddress: RECIPIENT }
export const PARTNER_FEE = { feeBps: 50, feeRecipientAddress: PARTNER }
