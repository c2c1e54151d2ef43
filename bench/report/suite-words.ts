interface SuiteWords {
  readonly title: string
  /** What each suite measures and its baseline, for readers. */
  readonly text: string
}

const WORDS: Readonly<Record<string, SuiteWords>> = {
  http: {
    title: 'HTTP interface',
    text: `What the service does for a request beside the least that a service on the same framework and the same database
does for it: no authentication, no limits, no log. Rates are peaks with 32 clients; the tails are the slowest hundredth at
half of the service's peak, for both.`,
  },
  prover: {
    title: 'Proofs',
    text: 'A proof by the prover that the service starts, beside one by snarkjs of the same statement under the same key.',
  },
  settlement: {
    title: 'Settlement',
    text: `One worker with one prover that finds a backlog, beside the same prover alone, while none, a tenth and a third of
the node's answers go wrong; and how long one order takes, beside one proof and one finality, and beside what its quote
said. The embedded chain is final after a second, a cluster after some thirteen.`,
  },
  balances: {
    title: 'Balances',
    text: `Payments out of balances, made with the SDK: the time from the owner's signature to the payee's funds, beside one
proof of the prover alone and two slots of 400 ms; a list of 100 payments out of four balances, beside 100 proofs, with slots
of 100 ms, because with longer ones the payments wait for finality and not for the prover; and the lamports that the relayers
lose with each of ten payments once all rent is back, beside what was decided.`,
  },
  tree: {
    title: 'Note tree',
    text: `One hash of four beside plain JavaScript's, and a whole tree from a file of leaves, beside what an operator may have to wait
and what a small machine has, both decided.`,
  },
  following: {
    title: 'Following the chain under spam',
    text: `How long a final deposit waits until the service has recorded it, while 200 transactions a second name the tree's
account; beside the same wait without them, in turns.`,
  },
  recovery: {
    title: 'Recovery',
    text: `Finding a ticket's note in the middle of a large tree, while as many other transactions named the tree, every second of
which failed; with a node that answers at once, beside what the holder of a ticket may have to wait, which was decided.`,
  },
  program: {
    title: 'On-chain program',
    text: `Compute units and signed bytes of each kind's dearest transaction, beside limits: decided ones for the units of deposits
and settlements and for the bytes of deposits, the chain's own for the others (200,000 units for an instruction that asks
for no more, 1,232 bytes). All of them: [MEASURES.md](../program/MEASURES.md).`,
  },
  cost: {
    title: 'What a transfer costs on chain',
    text: `Lamports that sender, relayers, recipient and vault have lost together once every transfer has ended and every rent
is back, for one transfer, at the base fee; and of that the relayers' part, which is what settling costs. Measured by
balances on the embedded chain; the baseline is what was decided.
A recipient's new token account is the recipient's, and stays.`,
  },
  start: {
    title: 'Start',
    text: `From the start of the process to the line that says it is ready, beside a process that opens the same kind of
database and answers on Fastify, and does nothing else. The service also reads its pool from the chain and, with a worker,
starts its prover and checks its keys. The database exists already.`,
  },
  memory: {
    title: 'Memory',
    text: `Resident memory of the idle service, API and worker in one process, on PostgreSQL, the prover's own process apart;
beside 250 MB, which was decided, and beside a bare Fastify process on the same database.`,
  },
  privacy: {
    title: 'Privacy',
    text: `The mean chance that an observer of the chain gives to the wallet that really paid, at ten payments an hour, beside
what was decided, or beside 1, which hides nothing. \`six days\` is the last of six days of a written history; \`the service\` is an
hour's worth of real transfers on the embedded chain, with few payments of each kind: [privacy.md](privacy.md).`,
  },
  growth: {
    title: 'Growth',
    text: `The same work on a database with so many orders and notes more: the median time of an order, of a status and of the
record of a new deposit, beside the same with 10,000 orders and notes, in turns. The rows are those of delivered transfers, most of them
past their retention, as they would be.`,
  },
}

export function suiteWords(suite: string): SuiteWords {
  const words = WORDS[suite]
  if (words === undefined) throw new Error(`nothing is said of the suite ${suite}`)
  return words
}
