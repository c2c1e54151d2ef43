interface SuiteWords {
  readonly title: string
  /** Descriptions of each suite's measurement and baseline, for readers. */
  readonly text: string
}

const WORDS: Readonly<Record<string, SuiteWords>> = {
  http: {
    title: 'HTTP interface',
    text: `The service's work for a request, compared with the minimum work of a service on the same framework and
database: no authentication, no limits, no log. Rates are peaks with 32 clients. The p99 rows give the latency that 99
of 100 requests don't exceed. For these rows, the service and its baseline both receive requests at half of the
service's peak rate.`,
  },
  prover: {
    title: 'Proofs',
    text: `A proof by the prover that the service starts, compared with a proof by snarkjs of the same statement with
the same key. If the prover always has a second request waiting (\`two requests at hand\`), it makes two proofs at once.
This is compared with making one proof after the other, which is also the baseline of settlement and balances.`,
  },
  settlement: {
    title: 'Settlement',
    text: `One worker with one prover and a backlog, compared with the same prover alone, while 0, 10 or 30 % of the
worker's requests to the node fail. Also the time of one order, compared with one proof plus one time to finality, and
with the time in its quote. A transaction is final after one second on the embedded chain, and after about thirteen
seconds on a cluster.`,
  },
  balances: {
    title: 'Balances',
    text: `Payments out of balances, made with the SDK. The time from the owner's signature to the payee's funds is
compared with the time for one proof by the prover alone plus two slots of 400 ms. A list of 100 payments out of four
balances is compared with 100 proofs. It uses slots of 100 ms: with longer slots the payments would wait for finality
instead of for the prover. The lamports that the relayers have lost for each of ten payments, after all rent has
returned, are compared with a limit that we chose.`,
  },
  tree: {
    title: 'Note tree',
    text: `One hash of four numbers, compared with plain JavaScript; and a whole tree from a file of leaves, compared
with the longest wait for an operator and the memory of a small machine. We chose these two limits. A worker that has a
tree file (\`SOTTO_TREE\`) opens that file instead. The limits for opening ten million leaves, 10 s and 1,000 MB, were
chosen for the same reasons.`,
  },
  following: {
    title: 'Following the chain under spam',
    text: `How long a final deposit waits until the service has recorded it, while 200 transactions a second name the
tree's account. Rounds with these transactions alternate with rounds without them, which are the baseline.`,
  },
  recovery: {
    title: 'Recovery',
    text: `Finding a ticket's note in the middle of a large tree. For each transaction that added a leaf, there is
another that only names the tree, and half of these other transactions failed. The node answers immediately. The
baseline is the longest wait for a ticket's holder, which we chose.`,
  },
  program: {
    title: 'On-chain program',
    text: `Compute units and signed bytes of the most expensive transaction of each kind, compared with limits. We chose
the limits for the units of deposits and settlements and for the bytes of deposits. The other limits are the chain's
own (200,000 units for an instruction that doesn't ask for more, 1,232 bytes).
[MEASURES.md](../program/MEASURES.md) lists all measures.`,
  },
  cost: {
    title: 'What a transfer costs on chain',
    text: `Each row gives the lamports that one transfer at the base fee costs its sender and the relayers together,
excluding the amount sent. They are counted from balances on the embedded chain, after every transfer has ended and all
rent is returned. If a row's name ends in \`settling it\`, the row gives only the relayers' part, which is the cost of
settling. We chose the baselines. A new token account stays with its recipient.`,
  },
  start: {
    title: 'Start',
    text: `The time from the start of the process to the line that says that it is ready, compared with a process that
opens the same kind of database, answers on Fastify, and does nothing else. The service also reads its pool from the
chain and, with a worker, starts its prover and checks its keys. The database exists already.`,
  },
  memory: {
    title: 'Memory',
    text: `Resident memory of the idle service, API and worker in one process, on PostgreSQL, without the prover's
process. It is compared with 250 MB, a limit that we chose, and with a bare Fastify process on the same database.`,
  },
  privacy: {
    title: 'Privacy',
    text: `A posterior is the mean probability that an observer of the chain assigns to the wallet that really paid. It
is compared with the goal for this kind of payment at ten payments an hour. A kind without a goal is compared with 1,
which means that nothing is hidden. Each rate, such as \`10 an hour\`, names a generated history, which is written
without a chain. The posteriors of \`10 an hour\` are those of the last of six days. Rows about quotes compare the
statements of quotes with the observer's results. \`the service\` names 60 real payments on the embedded chain, with few
payments of each kind: [privacy.md](privacy.md).`,
  },
  growth: {
    title: 'Growth',
    text: `The same work on databases of different sizes: the median times of an order, of a status, of recording a new
deposit and of a poll that finds nothing. The baseline is a database of 10,000 orders and notes, whose rounds alternate
with the rounds of the other databases. The rows are those of delivered transfers, most of them past their retention,
as in a real database.`,
  },
}

export function suiteWords(suite: string): SuiteWords {
  const words = WORDS[suite]
  if (words === undefined) throw new Error(`no text describes the suite ${suite}`)
  return words
}
