interface SuiteWords {
  readonly title: string
  /** Describes the suite's measurement and its baseline, for readers of the page. */
  readonly text: string
}

const WORDS: Readonly<Record<string, SuiteWords>> = {
  http: {
    title: 'HTTP interface',
    text: `The service's work for a request, compared with the minimum work of a service on the same framework and
database. The minimal service has no authentication, limits or log. Rates are peaks with 32 clients. The p99 rows give
the latency that 99 of 100 requests don't exceed. For these rows, the service and its baseline both receive requests at
half of the service's peak rate.`,
  },
  prover: {
    title: 'Proofs',
    text: `A proof by the service's prover, compared with a proof by snarkjs. Both prove the same statement with the same
key. If a second request always waits at the prover (\`two requests at hand\`), the prover makes two proofs at once.
The baseline of this row is a prover that makes one proof after the other. The suites for settlement and balances have
this baseline too.`,
  },
  settlement: {
    title: 'Settlement',
    text: `One worker with one prover and a backlog, compared with the same prover alone. In different runs, 0, 10 or
30 % of the worker's requests to the node fail. The worker begins work on an order right after it has recorded the
order's deposit. The time from then to \`delivered\` is compared with one proof plus the time to finality. The time from
the user's signature to the funds is compared with the time in the order's quote. A transaction is final after one
second on the embedded chain, and after about thirteen seconds on a cluster.`,
  },
  balances: {
    title: 'Balances',
    text: `Payments out of balances, made with the SDK. The time from the owner's signature to the payee's funds is
compared with the time for one proof by the prover alone plus two slots of 400 ms. A list of 100 payments out of four
balances is compared with 100 proofs. This measurement uses slots of 100 ms. With longer slots, the payments would wait
for finality instead of the prover. After all rent has returned, the relayers have lost some lamports for each of ten
payments. This loss is compared with a limit that we chose.`,
  },
  tree: {
    title: 'Note tree',
    text: `One hash of four numbers is compared with plain JavaScript. The time for building a whole tree from a file of
leaves is compared with the longest acceptable wait for an operator, and the memory with that of a small machine. We
chose these two limits. A worker that has a tree file (\`SOTTO_TREE\`) opens that file instead. For the same reasons, we
chose 10 s and 1,000 MB as the limits for opening ten million leaves.`,
  },
  following: {
    title: 'Following the chain under spam',
    text: `The time from a deposit's finality until the service has recorded it, while 200 transactions a second name
the tree's account. The baseline is the same time without these transactions. Rounds of both kinds alternate.`,
  },
  recovery: {
    title: 'Recovery',
    text: `Finding a ticket's note in the middle of a large tree. For each transaction that added a leaf,
another transaction only names the tree. Half of these other transactions failed. The node answers immediately. The
baseline is a limit that we chose: the longest acceptable wait for a ticket's holder.`,
  },
  program: {
    title: 'On-chain program',
    text: `Compute units and signed bytes of the most expensive transaction of each kind, compared with limits. We chose
the limits for the units of deposits and settlements, and for the bytes of deposits. The other limits are the chain's
own: 200,000 units for an instruction that doesn't ask for more, and 1,232 bytes.
[MEASURES.md](../program/MEASURES.md) lists all measures.`,
  },
  cost: {
    title: 'What a transfer costs on chain',
    text: `Each row gives the lamports that one transfer at the base fee costs its sender and the relayers together. The
sent amount isn't included. The costs are counted from balances on the embedded chain, after every transfer has ended
and all rent is returned. If a row's name ends in \`settling it\`, the row gives only the relayers' part, which is the
cost of settling. We chose the baselines. A new token account stays with its recipient.`,
  },
  start: {
    title: 'Start',
    text: `The time from the start of the process until it reports that it is ready. The baseline is a process that opens
the same kind of database, answers on Fastify, and does nothing else. The service also reads its pool from the chain.
With a worker, it also starts its prover and checks its keys. The database exists already.`,
  },
  memory: {
    title: 'Memory',
    text: `Resident memory of the idle service on PostgreSQL. API and worker are one process, and the prover's process
isn't included. The memory is compared with 250 MB, a limit that we chose, and with a bare Fastify process on the same
database.`,
  },
  privacy: {
    title: 'Privacy',
    text: `A posterior is the mean probability that an observer of the chain assigns to the wallet that really paid. It
is compared with the goal for this kind of payment at ten payments an hour. A kind without a goal is compared with 1,
which means that nothing is hidden. Each rate, such as \`10 an hour\`, names a history that is generated without a
chain. The posteriors of \`10 an hour\` are for the last of six days. Rows about quotes compare the statements of quotes
with the observer's results. \`the service\` names 60 real payments on the embedded chain, with few payments of each
kind. See [privacy.md](privacy.md).`,
  },
  growth: {
    title: 'Growth',
    text: `The same work on databases of different sizes: the median times of an order, of a status, of recording a new
deposit, and of a poll that finds nothing. The baseline is a database of 10,000 orders and notes. Its rounds alternate
with the rounds of the other databases. The rows are delivered transfers that are past their retention time, like most
rows of a real database.`,
  },
}

export function suiteWords(suite: string): SuiteWords {
  const words = WORDS[suite]
  if (words === undefined) throw new Error(`no text describes the suite ${suite}`)
  return words
}
