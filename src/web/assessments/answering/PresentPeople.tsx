import type { PresentPerson } from '#contract/assessments/answers/presence.ts'
import { joinNames } from '#web/ui/layout/join-names.ts'
import './presence.css'

type Props = {
  people: readonly PresentPerson[]
  /** Said after the names, in the singular and the plural: "is here too". */
  words: readonly [one: string, several: string]
  /** Only the mark is shown; the sentence is its title. */
  isShort?: boolean
}

/** Who else is here now. Nothing without anyone. */
export function PresentPeople({ people, words, isShort = false }: Props) {
  if (people.length === 0) return null
  const sentence = `${joinNames(
    people.map(({ name }) => name),
    'and',
  )} ${people.length === 1 ? words[0] : words[1]}`
  return (
    <span className="fc-present" title={isShort ? sentence : undefined}>
      <span className="fc-present-mark" aria-hidden="true" />
      <bdi className={isShort ? 'fc-hidden' : undefined}>{sentence}</bdi>
    </span>
  )
}
