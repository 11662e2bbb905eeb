import { Group, MultiSelect, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LEAD_OUTCOMES, LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { type AudienceCount, LEFT_OUT } from '#contract/marketing/campaigns/audience.ts'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import { labelOf } from '#contract/record.ts'
import { query, send } from '#web/api/query.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { FactList } from '#web/ui/record/Facts.tsx'
import type { CampaignFormState, CampaignValues } from './campaign-form.ts'

const countAudience = send(campaigns.countAudience)
const PAUSE_MS = 400
const NO_CHOICES: string[] = []

/** Whose leads a campaign is for, and how many of them it may mail now. */
export function AudienceTab({ record, campaign }: { record: CampaignFormState; campaign: Campaign }) {
  const { form, change } = record
  const { audience } = form.values
  const isReadOnly = record.isReadOnly || campaign.state !== 'draft'
  const put = (changes: Partial<CampaignValues['audience']>) =>
    change({ audience: { ...audience, ...changes } })
  const lots = useLotNames(audience.lotIds)
  const days = (value: number | string): number | null => (typeof value === 'number' ? value : null)
  return (
    <Group align="start" gap={32} px="var(--fc-gutter)" py={16} grow preventGrowOverflow={false}>
      <Stack flex="2 1 360px" maw={560} gap={16}>
        <Text size="sm" c="dimmed">
          People of {campaign.lotName}’s organization who sent a lead, or those of imported lists. Leave a
          field blank for all.
        </Text>
        <ListField
          audience={audience}
          organizationId={campaign.organizationId}
          isReadOnly={isReadOnly}
          put={put}
        />
        {audience.listIds.length === 0 && (
          <>
            <MultiSelect
              label="Lots"
              data={lots.choices}
              value={audience.lotIds}
              readOnly={isReadOnly}
              searchable={!isReadOnly}
              onSearchChange={lots.search}
              error={form.errors['audience']}
              onChange={(lotIds) => put({ lotIds })}
            />
            <MultiSelect
              label="Types of leads"
              data={LEAD_TYPES}
              value={audience.types}
              readOnly={isReadOnly}
              onChange={(types) =>
                put({ types: LEAD_TYPES.flatMap(({ value }) => (types.includes(value) ? value : [])) })
              }
            />
            <MultiSelect
              label="Outcomes"
              data={LEAD_OUTCOMES}
              value={audience.outcomes}
              readOnly={isReadOnly}
              onChange={(outcomes) =>
                put({
                  outcomes: LEAD_OUTCOMES.flatMap(({ value }) => (outcomes.includes(value) ? value : [])),
                })
              }
            />
            <TagsField
              label="Makes they asked about"
              data={NO_CHOICES}
              value={audience.makes}
              readOnly={isReadOnly}
              maxTags={50}
              onChange={(makes) => put({ makes })}
            />
            <NumberField
              label="Last active within, in days"
              value={audience.activeWithin ?? ''}
              readOnly={isReadOnly}
              min={1}
              max={3_650}
              onChange={(value) => put({ activeWithin: days(value) })}
            />
            <NumberField
              label="Not active for, in days"
              value={audience.quietFor ?? ''}
              readOnly={isReadOnly}
              min={1}
              max={3_650}
              onChange={(value) => put({ quietFor: days(value) })}
            />
          </>
        )}
      </Stack>
      <Reach lotId={form.values.lotId} audience={audience} />
    </Group>
  )
}

type ListFieldProps = {
  audience: CampaignValues['audience']
  organizationId: string
  isReadOnly: boolean
  put: (changes: Partial<CampaignValues['audience']>) => void
}

/** With imported lists, what people's leads are about doesn't matter. */
function ListField({ audience, organizationId, isReadOnly, put }: ListFieldProps) {
  const { data = [] } = useQuery(query(importedLists.list, {}))
  const lists = data.filter((list) => list.organizationId === organizationId)
  if (lists.length === 0 && audience.listIds.length === 0) return null
  return (
    <MultiSelect
      label="Imported lists"
      placeholder={audience.listIds.length === 0 ? 'None: people who sent a lead' : ''}
      data={lists.map(({ id, name }) => ({ value: id, label: name }))}
      value={audience.listIds}
      readOnly={isReadOnly}
      onChange={(listIds) => put({ listIds })}
    />
  )
}

function Reach({ lotId, audience }: Pick<CampaignValues, 'lotId' | 'audience'>) {
  const [settled] = useDebouncedValue({ lotId, audience }, PAUSE_MS)
  const { data, error, isFetching } = useQuery({
    queryKey: ['campaign audience', settled],
    queryFn: () => countAudience(settled),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <Stack flex="1 1 260px" gap={8} component="section" aria-label="Who gets it" aria-busy={isFetching}>
      <Title order={2} fz={14} fw={600}>
        Who gets it
      </Title>
      {error && (
        <Text size="sm" c="red">
          {error.message}
        </Text>
      )}
      {data && <Counts counted={data} />}
      <Text size="xs" c="dimmed">
        Counted now by the same rules that send. Everyone is checked again when their turn comes.
      </Text>
    </Stack>
  )
}

function Counts({ counted: { people, mailed, leftOut } }: { counted: AudienceCount }) {
  return (
    <>
      <Text fz={26} fw={600} className="fc-number">
        {mailed.toLocaleString()}
      </Text>
      <Text size="sm">
        of {count(people, 'person', 'people')} who match {mailed === 1 ? 'gets' : 'get'} the email.
      </Text>
      {leftOut.length > 0 && (
        <FactList
          facts={leftOut.map(
            ({ reason, count: number }) => [labelOf(LEFT_OUT, reason), number.toLocaleString()] as const,
          )}
        />
      )}
    </>
  )
}
