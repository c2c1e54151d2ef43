// Each wallet's address is the hash of its name, so nobody has its private key. The mints' addresses are those of
// mainnet. The local chain of `npm start` has its own mints at these addresses, so that every example works on that
// chain unchanged.
export const SOL = 'So11111111111111111111111111111111111111112'
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const SENDER = '221BsAMBx92sro1kASVpfKhJzRwC1G6rFcjFJPL8Rg2H'
export const RECIPIENT = '8A7S9VY6oP8JMjrYBqcwYQQWutEF4a4Dg7MN2WxK26YG'
export const PARTNER = '9ty6mjvVcJw81t6zyBZiTTiQwtDVzaQb6TMVoq3aCx7B'

/** The wallets in every example request. */
export const WALLETS = { senderAddress: SENDER, recipientAddress: RECIPIENT }
export const PARTNER_FEE = { feeBps: 50, feeRecipientAddress: PARTNER }
