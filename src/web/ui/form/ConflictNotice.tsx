import { Button, Text } from '@mantine/core'
import { type Change, useConflictTitle } from './conflict-title.ts'
import { keepTyping } from '#web/ui/controls/keep-typing.ts'

/** A conflict that the user hasn't decided on. `change`: who saved another version; null: someone deleted the record. */
export type Conflict = Readonly<{ change: Change | null; decide: () => void }>

/** Says that someone else changed the record, until the user decides: beside the buttons of a form. */
export function ConflictNotice({ conflict: { change, decide } }: { conflict: Conflict }) {
  const title = useConflictTitle('it', change ?? {})
  return (
    <>
      <Text component="output" size="sm" c="var(--fc-bad)" flex="1 1 14em">
        <bdi>{`${change === null ? 'It was deleted in the meantime' : title}. Your changes aren't saved.`}</bdi>
      </Text>
      <Button variant="default" onClick={decide} onMouseDown={keepTyping}>
        Decide
      </Button>
    </>
  )
}
