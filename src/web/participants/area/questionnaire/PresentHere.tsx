import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import { PresentPeople } from '#web/assessments/index.ts'
import { useArea } from '../area.ts'

/** Who else is at the same place, in the reader's language. */
export function PresentHere({ people }: { people: readonly PresentPerson[] }) {
  const { text, language } = useArea()
  if (people.length === 0) return null
  const list = new Intl.ListFormat(language)
  return (
    <p className="fc-area-state fc-small" lang={language}>
      <PresentPeople people={people} say={(names) => text('here', { names: list.format(names) })} />
    </p>
  )
}
