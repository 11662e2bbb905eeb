import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import './presence.css'

type Props = {
  people: readonly PresentPerson[]
  /** What is said about their names: "Ana Souza is here too". */
  say: (names: readonly string[]) => string
  /** Only the mark is shown; the sentence is its title. */
  isShort?: boolean
}

/** Who else is here now. Nothing without anyone. */
export function PresentPeople({ people, say, isShort = false }: Props) {
  if (people.length === 0) return null
  const sentence = say(people.map(({ name }) => name))
  return (
    <span className="fc-present" title={isShort ? sentence : undefined}>
      <span className="fc-present-mark" aria-hidden="true" />
      <bdi className={isShort ? 'fc-hidden' : undefined}>{sentence}</bdi>
    </span>
  )
}
