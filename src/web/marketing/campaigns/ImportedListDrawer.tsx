import { Stack, Text, Title } from '@mantine/core'
import {
  type ImportedListDetails,
  importedLists,
  MAX_ASKED,
} from '#contract/marketing/campaigns/imported-lists.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count, formatDate, formatMoment } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { DetailDrawer } from '#web/ui/record/DetailDrawer.tsx'

const PLAIN = { listStyle: 'none', margin: 0, padding: 0 } as const
const NOT_YET = {
  importing: 'Still being imported',
  stopped: 'Not imported, because the import was stopped',
} as const
const askPeople = send(importedLists.ask)
const removeList = send(importedLists.remove)

/** One imported list: its people by what is known of their consent, and the rows that were not used. */
export function ImportedListDrawer({ id, onClose }: { id: string; onClose: (isSaved?: boolean) => void }) {
  return (
    <DetailDrawer
      query={query(importedLists.get, { id })}
      what="this list"
      noun="Imported list"
      size={560}
      onClose={onClose}
      renderParts={(list) => ({
        title: list.name,
        about: `${list.lotName}, ${list.fileName}`,
        facts: [
          ['Rows in the file', list.rows.toLocaleString()],
          ['Not a usable address', list.invalid.toLocaleString()],
          ['Duplicates', list.duplicates.toLocaleString()],
          ...(list.state === 'ready' ? [] : [[NOT_YET[list.state], list.waiting.toLocaleString()] as const]),
          ['People', list.people.toLocaleString()],
          ['With proof of consent', list.proven.toLocaleString()],
          ['Confirmed by email', list.confirmed.toLocaleString()],
          ['Said no', list.declined.toLocaleString()],
          ['Asked, no answer yet', list.asked.toLocaleString()],
          ['Without proof, not asked', list.canAsk.toLocaleString()],
          [
            'Imported',
            `${formatMoment(list.createdAt)}${list.createdBy === null ? '' : ` by ${list.createdBy}`}`,
          ],
        ],
        actions: <Actions list={list} onRemoved={() => onClose(true)} />,
      })}
    >
      {(list) => (
        <Stack gap={16}>
          <Problems list={list} />
          <Sample list={list} />
        </Stack>
      )}
    </DetailDrawer>
  )
}

function Actions({ list, onRemoved }: { list: ImportedListDetails; onRemoved: () => void }) {
  const onError = (failure: CallFailure) => showError(failure)
  const asking = useMutation<Awaited<ReturnType<typeof askPeople>>>({
    mutationFn: () => askPeople({ id: list.id }),
    onError,
    onSuccess: ({ sent }) => toast(`${count(sent, 'person', 'people')} asked`, list.name),
  })
  const removing = useMutation<Awaited<ReturnType<typeof removeList>>>({
    mutationFn: () => removeList({ id: list.id }),
    onError,
    onSuccess: () => {
      toast('List deleted', list.name)
      onRemoved()
    },
  })
  const people = Math.min(list.canAsk, MAX_ASKED)
  const confirmAsking = async () => {
    const isSure = await ask({
      title: `Ask ${count(people, 'person', 'people')} by email?`,
      text: 'Each gets one email with a page where they can agree to offers. No one is asked twice, and who is suppressed or said no before is skipped.',
      confirm: 'Send',
    })
    if (isSure) asking.mutate()
  }
  const confirmRemoving = async () => {
    const isSure = await ask({
      title: `Delete ${list.name}?`,
      text: 'People who came with this list, and whom no lead, campaign or other list names, are deleted with it. Who said no is kept, so that they stay out.',
      confirm: 'Delete list',
      isDestructive: true,
    })
    if (isSure) removing.mutate()
  }
  return (
    <>
      <Action
        for={importedLists.remove}
        variant="default"
        loading={removing.isPending}
        onClick={() => void confirmRemoving()}
      >
        Delete
      </Action>
      {list.canAsk > 0 && list.state !== 'importing' && (
        <Action for={importedLists.ask} loading={asking.isPending} onClick={() => void confirmAsking()}>
          {people < list.canAsk
            ? `Ask ${people.toLocaleString()} of ${list.canAsk.toLocaleString()}`
            : `Ask ${count(people, 'person', 'people')}`}
        </Action>
      )}
    </>
  )
}

function Problems({ list: { problems } }: { list: ImportedListDetails }) {
  if (problems.length === 0) return null
  return (
    <section aria-label="What was wrong in the file">
      <Title order={3} fz={14} fw={600}>
        What was wrong in the file
      </Title>
      <ul style={PLAIN}>
        {problems.map(({ row, text }) => (
          <li key={`${row} ${text}`}>
            <Text size="sm">
              <bdi>{row === 0 ? text : `Row ${row.toLocaleString()}: ${text}`}</bdi>
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Sample({ list: { sample } }: { list: ImportedListDetails }) {
  return (
    <section aria-label="The first people">
      <Title order={3} fz={14} fw={600}>
        The first people
      </Title>
      <ul style={PLAIN}>
        {sample.map(({ row, name, email, consentSource, consentOn }) => (
          <li key={row}>
            <Text size="sm">
              <bdi>{name ?? email}</bdi>
              <span className="fc-second">
                <bdi>
                  {consentSource === null || consentOn === null
                    ? 'No proof of consent'
                    : `Agreed ${formatDate(consentOn)}: ${consentSource}`}
                </bdi>
              </span>
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
