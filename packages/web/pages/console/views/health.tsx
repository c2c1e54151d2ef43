import { showSeconds } from '../../look/durations.ts'
import type { Overview } from '../model/console-api.ts'

type Level = 'good' | 'warn' | 'bad'

interface Sign {
  readonly name: string
  readonly level: Level
  readonly text: string
}

/** Followed longer ago than this, the chain is not followed. */
const FOLLOWED_SECONDS = 60
/** Upkeep compares the books every two minutes at most. */
const BOOKS_SECONDS = 900

const ageOf = (at: string, now: string): number => (Date.parse(at) - Date.parse(now)) / -1_000
const ago = (seconds: number): string => `${showSeconds(Math.max(1, seconds))} ago`

function signsOf({ takenAt, health }: Overview): Sign[] {
  const { halted, followed, books, liquidity } = health
  const followedAge = followed === undefined ? undefined : ageOf(followed.at, takenAt)
  const booksAge = books === undefined ? undefined : ageOf(books.at, takenAt)
  return [
    {
      name: 'New orders',
      level: halted === null ? 'good' : 'bad',
      text: halted === null ? 'are taken' : `are halted: ${halted}`,
    },
    {
      name: 'Chain',
      level: followedAge === undefined || followedAge > FOLLOWED_SECONDS ? 'bad' : 'good',
      text:
        followedAge === undefined
          ? 'was never followed'
          : `followed to slot ${followed?.slot ?? ''}, ${ago(followedAge)}`,
    },
    {
      name: 'Books',
      level: booksLevel(books?.agree, booksAge),
      text:
        booksAge === undefined
          ? 'were never compared'
          : `${books?.agree === true ? 'agree' : 'DIFFER'}, ${ago(booksAge)}`,
    },
    {
      name: 'Relayers',
      level: liquidity === undefined ? 'warn' : liquidity.isLiquid ? 'good' : 'bad',
      text:
        liquidity === undefined
          ? 'were not looked at yet'
          : `${liquidity.isLiquid ? 'can pay' : 'are LOW'}, ${ago(ageOf(liquidity.at, takenAt))}`,
    },
  ]
}

function booksLevel(agree: boolean | undefined, age: number | undefined): Level {
  if (agree === undefined || age === undefined) return 'warn'
  if (!agree) return 'bad'
  return age > BOOKS_SECONDS ? 'warn' : 'good'
}

const WORDS = { good: 'fine', warn: 'look', bad: 'wrong' } as const

/** Whether all is well, and since when that is known. */
export function Health({ overview }: { readonly overview: Overview }) {
  const signs = signsOf(overview)
  const worst = signs.some(({ level }) => level === 'bad')
    ? 'bad'
    : signs.some(({ level }) => level === 'warn')
      ? 'warn'
      : 'good'
  const verdict = { good: 'All is well', warn: 'Have a look', bad: 'Something is wrong' }[worst]
  return (
    <section class={`card health ${worst}`} aria-labelledby="health-title">
      <h2 id="health-title">Health</h2>
      <p class="figure" role="status">
        {verdict}
      </p>
      <ul class="signs">
        {signs.map(({ name, level, text }) => (
          <li key={name} class={level}>
            <span class="sign-word">{WORDS[level]}</span>
            <span>
              <strong>{name}</strong> {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
