import { Select, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { query, send } from '#web/api/query.ts'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'

const preview = send(campaigns.preview)
const PAUSE_MS = 300

type Props = { campaign: Campaign; isChanged: boolean }

/** The saved email as one person of the audience would get it now. */
export function CampaignPreview({ campaign, isChanged }: Props) {
  const [personId, setPerson] = useState<string | null>(null)
  const { id, version } = campaign
  const { data, error, isFetching } = useQuery({
    queryKey: ['campaign preview', id, version, personId],
    queryFn: () => preview({ id, personId }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return (
    <Stack component="section" aria-label="Preview" aria-busy={isFetching} flex="2 1 400px" miw={0} gap={8}>
      <PersonSelect id={id} value={personId} onChange={setPerson} />
      {isChanged && (
        <Text size="sm" c="dimmed">
          The preview shows the saved email. Save your changes to see them.
        </Text>
      )}
      {error && (
        <Text size="sm" c="red">
          {error.message}
        </Text>
      )}
      {data && (
        <>
          <Title order={2} fz={14} fw={600}>
            <bdi>{data.subject === '' ? 'No subject yet' : data.subject}</bdi>
          </Title>
          {[...data.facts, ...data.without].map((line) => (
            <Text key={line} size="xs" c="dimmed">
              <bdi>{line}</bdi>
            </Text>
          ))}
          {/* Without scripts; its photos are the product's own. */}
          <iframe title="Email" sandbox="allow-same-origin" srcDoc={data.html} style={MAIL} />
        </>
      )}
    </Stack>
  )
}

function PersonSelect({
  id,
  value,
  onChange,
}: {
  id: string
  value: string | null
  onChange: (id: string | null) => void
}) {
  const mayRead = useMayCall(campaigns.people)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, PAUSE_MS)
  const { data = [] } = useQuery({ ...query(campaigns.people, { id, search: settled }), enabled: mayRead })
  if (!mayRead) return null
  return (
    <Select
      label="Preview as"
      placeholder="Anyone"
      data={data.map((one) => ({
        value: one.id,
        label: one.name === null ? one.email : `${one.name}, ${one.email}`,
      }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      onSearchChange={setSearch}
      filter={({ options }) => options}
      nothingFoundMessage="No one who gets the email"
    />
  )
}

/** Emails are made for a white page, whatever the theme. */
const MAIL = {
  inlineSize: '100%',
  blockSize: 'min(75vh, 900px)',
  border: '1px solid var(--fc-line)',
  background: '#fff',
  colorScheme: 'light',
} as const
