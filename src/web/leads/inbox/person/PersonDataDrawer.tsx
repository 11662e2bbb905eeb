import { Button, Text, TextInput } from '@mantine/core'
import { IconDownload, IconTrash, IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { personData, type PersonDataCounts, type PersonMention } from '#contract/leads/people/person-data.ts'
import { saveFile } from '#web/api/download.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { type Fact, Facts } from '#web/ui/record/Facts.tsx'

const exportData = send(personData.export)
const eraseData = send(personData.erase)

/** What is stored about a buyer: to hand out, or to erase. */
export function PersonDataDrawer({ onClose }: { onClose: () => void }) {
  const [contact, setContact] = useState('')
  const [asked, setAsked] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(contact.trim())
  }
  return (
    <FormDrawer
      title="Personal data"
      size={560}
      about="All data about a buyer in the stores you can access"
      onClose={onClose}
    >
      <div className="fc-lead">
        <form className="fc-lead-find" onSubmit={submit}>
          <TextInput
            data-autofocus
            className="fc-grow"
            label="Email or phone"
            value={contact}
            maxLength={254}
            autoComplete="off"
            onChange={(event) => setContact(event.currentTarget.value)}
          />
          <Button type="submit" disabled={contact.trim() === ''}>
            Find
          </Button>
        </form>
        {asked !== '' && <FoundData key={asked} contact={asked} />}
      </div>
    </FormDrawer>
  )
}

const TITLES: Readonly<Record<keyof PersonDataCounts, string>> = {
  people: 'People',
  leads: 'Leads',
  messages: 'Emails in leads',
  consents: 'Consents',
  submissions: 'Form submissions',
  texts: 'Received texts',
  emails: 'Emails in the outbox',
  mentions: 'Mentions in other records',
}

function FoundData({ contact }: { contact: string }) {
  const { data, error, isPending, refetch } = useQuery(query(personData.find, { contact }))
  const download = useMutation({
    mutationFn: () => exportData({ contact }),
    onSuccess: (found) =>
      saveFile(
        new File([JSON.stringify(found, null, 2)], 'personal-data.json', { type: 'application/json' }),
      ),
    onError: (failure) => showError(failure),
  })
  const erase = useMutation({
    mutationFn: (confirmed: PersonDataCounts) => eraseData({ contact, confirmed }),
    onSuccess: ({ erased, kept }) =>
      toast(
        `Erased: ${count(erased.people, 'person', 'people')}, ${count(erased.leads, 'lead', 'leads')}`,
        kept > 0 ? 'One address stays on record because its owner asked not to be contacted.' : contact,
      ),
    onError: (failure) => {
      showError(failure)
      void refetch()
    },
  })
  if (error) {
    return (
      <FailureState
        failure={error}
        endpoint={personData.find}
        what="this data"
        onRetry={() => void refetch()}
      />
    )
  }
  if (isPending) return <RecordSkeleton label="Searching" shape="facts" />
  const { counts, mentions, names, stores, openLeads } = data
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  if (total === 0 && mentions.length === 0) {
    return (
      <EmptyState
        icon={<IconUserSearch size={18} />}
        title="Nothing is stored"
        text={`No buyer has the email address or phone number ${contact}.`}
      />
    )
  }
  const facts = KEYS.map((key): Fact => [TITLES[key], counts[key].toLocaleString()])
  const askToErase = async () => {
    const listed = KEYS.filter((key) => counts[key] > 0).map(
      (key) => `${TITLES[key].toLowerCase()}: ${counts[key].toLocaleString()}`,
    )
    const isSure = await ask({
      title: `Erase everything about ${names[0] ?? contact}?`,
      text: `This deletes ${listed.join(', ')}, also from the audit log. In other records, only the address or number is replaced by "[erased]". It also deletes the files of your company's exports, which may contain it. Anonymous figures stay. ${openText(openLeads)}It can't be undone.`,
      confirm: 'Erase',
      isDestructive: true,
    })
    if (isSure) erase.mutate(counts)
  }
  return (
    <>
      <Facts title={names.join(', ') || contact} facts={[['Stores', stores.join(', ')], ...facts]} />
      <Mentions of={mentions} />
      <p className="fc-small fc-soft">{NOT_INCLUDED}</p>
      <div className="fc-row">
        <Action
          for={personData.export}
          variant="default"
          loading={download.isPending}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => download.mutate()}
        >
          Download
        </Action>
        <Action
          for={personData.erase}
          className="fc-danger"
          loading={erase.isPending}
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => void askToErase()}
        >
          Erase
        </Action>
      </div>
    </>
  )
}

/** Texts of other records: those that erasing changes, and those that a person has to look at. */
function Mentions({ of }: { of: readonly PersonMention[] }) {
  const erased = of.filter(({ isKept }) => !isKept)
  const kept = of.filter(({ isKept }) => isKept)
  return (
    <>
      {erased.length > 0 && (
        <Text size="sm">Mentioned in {places(erased)}. Erasing replaces the address or number there.</Text>
      )}
      {kept.length > 0 && (
        <Text size="sm">
          Also in {places(kept)}. Erasing leaves these as they are, so edit them if they are about this
          person.
        </Text>
      )}
    </>
  )
}

const places = (mentions: readonly PersonMention[]): string =>
  mentions.map(({ what, count: times }) => `${what} (${times.toLocaleString()})`).join(', ')

const openText = (leads: number): string =>
  leads === 0 ? '' : `${count(leads, 'lead is', 'leads are')} still open. `

/** What erasing doesn't reach. */
const NOT_INCLUDED =
  'Not included: backups, which keep the data until they are deleted, and copies outside this product, such as downloaded exports and leads that were sent to a CRM.'
const KEYS = [
  'people',
  'leads',
  'messages',
  'consents',
  'submissions',
  'texts',
  'emails',
  'mentions',
] as const
