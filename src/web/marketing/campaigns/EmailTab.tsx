import { Group, MultiSelect, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { type Campaign, MAX_VEHICLES } from '#contract/marketing/campaigns/campaigns.ts'
import { CAMPAIGN_VARIABLES } from '#contract/marketing/campaigns/lint-claims.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import type { CampaignFormState } from './campaign-form.ts'

const CampaignPreview = lazy(async () => ({
  default: (await import('./CampaignPreview.tsx')).CampaignPreview,
}))

type Props = { record: CampaignFormState; campaign: Campaign }

/** The slots of the email, and the email as one person gets it. */
export function EmailTab({ record, campaign }: Props) {
  const { field, form } = record
  const isLocked = record.isReadOnly || campaign.state !== 'draft'
  const slot = (name: Parameters<typeof field>[0]) => ({ ...field(name), readOnly: isLocked })
  const lots = useLotNames(form.values.lotId === '' ? [] : [form.values.lotId])
  return (
    <Group align="start" gap={32} px="var(--fc-gutter)" pt={16} pb={96} grow preventGrowOverflow={false}>
      <Stack flex="1 1 340px" maw={560} gap={16}>
        <TextInput {...field('name')} required maxLength={100} autoComplete="off" />
        <Select
          {...slot('lotId')}
          data={lots.choices}
          searchable={!isLocked}
          onSearchChange={lots.search}
          allowDeselect={false}
          required
        />
        <HandlerSelect record={record} isLocked={isLocked} />
        <TextInput {...slot('subject')} maxLength={120} autoComplete="off" />
        <TextInput {...slot('headline')} maxLength={120} autoComplete="off" />
        <Textarea
          {...slot('text')}
          maxLength={4_000}
          autosize
          minRows={5}
          description={
            <bdi>{CAMPAIGN_VARIABLES.map(({ name, what }) => `{{ ${name} }}: ${what}`).join('. ')}.</bdi>
          }
        />
        <VehiclesSelect record={record} campaign={campaign} isLocked={isLocked} />
        <TextInput {...slot('button')} maxLength={40} autoComplete="off" placeholder="See all trucks" />
        <PageSelect record={record} campaign={campaign} isLocked={isLocked} />
        <Textarea
          {...slot('disclaimer')}
          maxLength={1_000}
          autosize
          minRows={2}
          description={<bdi>Below the texts that belong beside the prices.</bdi>}
        />
        <Text size="xs" c="dimmed">
          The postal address of the lot, why the reader gets the email and the link to unsubscribe are added.
        </Text>
      </Stack>
      <Suspense fallback={<Spinner label="Loading" />}>
        <CampaignPreview campaign={campaign} isChanged={record.changed.length > 0} />
      </Suspense>
    </Group>
  )
}

type FieldProps = { record: CampaignFormState; isLocked: boolean }

function HandlerSelect({ record: { field, form, change }, isLocked }: FieldProps) {
  const { rows, search } = useSearchable(emailHandlers.list, { sort: 'name' })
  const choices = rows.map(({ id, name }) => ({ value: id, label: name }))
  const { handlerId } = form.values
  const isKnown = handlerId === '' || choices.some(({ value }) => value === handlerId)
  return (
    <Select
      {...field('handlerId')}
      readOnly={isLocked}
      value={handlerId || null}
      onChange={(id) => change({ handlerId: id ?? '' })}
      data={isKnown ? choices : [{ value: handlerId, label: 'Not available to you' }, ...choices]}
      searchable={!isLocked}
      onSearchChange={search}
      clearable={!isLocked}
      placeholder="The default one"
      description={
        <bdi>
          Newsletters should leave by a handler of their own, so that answers to buyers keep their reputation.
        </bdi>
      }
    />
  )
}

function VehiclesSelect({
  record: { form, change },
  campaign,
  isLocked,
}: FieldProps & { campaign: Campaign }) {
  const { vehicleIds } = form.values
  const { rows, search } = useSearchable(vehicles.list, { sort: '-updatedAt' })
  const found = rows.map(({ id, year, make, model, trim, stock, notPublishedReason }) => {
    const name =
      [[year, make, model, trim].filter(Boolean).join(' '), stock].filter(Boolean).join(', ') ||
      `Vehicle ${id}`
    return { value: id, label: notPublishedReason === null ? name : `${name} (not for sale)` }
  })
  const chosen = campaign.vehicles.map(({ id, title }) => ({ value: id, label: title || `Vehicle ${id}` }))
  const missing = chosen.filter(({ value }) => !found.some((one) => one.value === value))
  return (
    <MultiSelect
      label="Vehicles"
      data={[...missing, ...found]}
      value={vehicleIds}
      readOnly={isLocked}
      searchable={!isLocked}
      maxValues={MAX_VEHICLES}
      onSearchChange={search}
      nothingFoundMessage="No vehicles found"
      placeholder={vehicleIds.length === 0 ? 'Search by name, stock number or VIN' : ''}
      error={form.errors['vehicleIds']}
      description={
        <bdi>
          Each with its total price at the time of sending. A sold one leaves the email; without any left,
          sending stops.
        </bdi>
      }
      onChange={(ids) => change({ vehicleIds: ids })}
    />
  )
}

function PageSelect({
  record: { field, form, change },
  campaign,
  isLocked,
}: FieldProps & { campaign: Campaign }) {
  const { rows, search } = useSearchable(promoPages.list, { sort: 'name' })
  const choices = rows.map(({ id, name }) => ({ value: id, label: name }))
  const { pageId } = form.values
  const isKnown = pageId === '' || choices.some(({ value }) => value === pageId)
  return (
    <Select
      {...field('pageId')}
      readOnly={isLocked}
      value={pageId || null}
      onChange={(id) => change({ pageId: id ?? '' })}
      data={
        isKnown
          ? choices
          : [{ value: pageId, label: campaign.pageName ?? 'Not available to you' }, ...choices]
      }
      searchable={!isLocked}
      onSearchChange={search}
      clearable={!isLocked}
      nothingFoundMessage="No promo pages found"
      description={<bdi>{`The button opens it by a short URL with utm_campaign=${campaign.code}.`}</bdi>}
    />
  )
}
