import { Select, TagsInput, TextInput } from '@mantine/core'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import {
  SHORT_URL_TARGETS,
  type ShortUrl,
  shortUrlRecord,
  shortUrls,
} from '#contract/marketing/short-urls/short-urls.ts'
import { MAX_KEY } from '#contract/marketing/short-urls/short-url-fields.ts'
import { labelOf } from '#contract/record.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { send } from '#web/api/query.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { ShortUrlDetails } from './ShortUrlDetails.tsx'

const shortUrlForm = recordForm(shortUrlRecord)
type ShortUrlValues = typeof shortUrlForm.blank
const addShortUrl = send(shortUrls.add)
const updateShortUrl = send(shortUrls.update)
const removeShortUrls = send(shortUrls.removeMany)

/** One short URL with its QR code and clicks, or a blank form for a new one. */
export function ShortUrlDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer
      {...props}
      noun="short URL"
      about="A short address with a QR code"
      form={shortUrlForm}
      endpoints={shortUrls}
      size={560}
      save={(input, change) => (change ? updateShortUrl({ ...input, ...change }) : addShortUrl(input))}
      remove={{
        endpoint: shortUrls.removeMany,
        start: ({ id, version }) => removeShortUrls({ selection: { ids: [id] }, version }),
        text: ({ key }) => `/s/${key} stops working, also on what is printed. You can undo this.`,
      }}
      nameOf={({ name, key }) => ({ name, code: key })}
      show={(name, values, [current]) => showField(name, values, current)}
    >
      {(record, saved) => (
        <>
          {saved && <ShortUrlDetails saved={saved} />}
          <ShortUrlFields record={record} saved={saved} />
        </>
      )}
    </RecordDrawer>
  )
}

/** A field's display text, for comparisons. Only the target of the saved short URL is known by name. */
function showField(name: string, values: ShortUrlValues, saved?: ShortUrl): string {
  if (name === 'target') return labelOf(SHORT_URL_TARGETS, values.target)
  const isSaved = TARGET_IDS.every((id) => values[id] === (saved?.[id] ?? ''))
  if (TARGET_IDS.some((id) => id === name) && isSaved) return saved?.targetTitle ?? ''
  return showValue({ ...values }[name])
}

const TARGET_IDS = ['vehicleId', 'formId', 'pageId'] as const

type Props = { record: RecordFormState<ShortUrlValues, ShortUrl>; saved: ShortUrl | null }

const NO_CHOICES: string[] = []

function ShortUrlFields({ record, saved }: Props) {
  const { field, form, isReadOnly } = record
  const { target } = form.values
  const domains = usePublicDomains()
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(saved === null && { 'data-autofocus': true })}
        required
        maxLength={100}
        className="fc-wide"
        autoComplete="off"
      />
      <TextInput
        {...field('key')}
        maxLength={MAX_KEY}
        autoComplete="off"
        dir="ltr"
        description={
          <bdi>{saved === null ? 'Leave blank to get a short one.' : 'Printed codes have this key.'}</bdi>
        }
      />
      <Select {...field('target')} data={SHORT_URL_TARGETS} allowDeselect={false} />
      {target === 'vehicle' && <VehicleSelect record={record} saved={saved} />}
      {target === 'form' && <FormSelect record={record} saved={saved} />}
      {target === 'page' && <PageSelect record={record} saved={saved} />}
      {target === 'url' && (
        <TextInput
          {...field('url')}
          type="url"
          required
          className="fc-wide"
          dir="ltr"
          placeholder="https://www.example.com/offers"
          autoComplete="off"
        />
      )}
      <TextInput
        {...field('expiresOn')}
        type="date"
        max="2100-12-31"
        description={<bdi>Leave blank if it doesn't expire.</bdi>}
      />
      <NumberField
        {...field('maxClicks')}
        min={1}
        description={
          <bdi>The short URL ends after this many clicks of people. Leave blank for no limit.</bdi>
        }
      />
      <Select
        {...field('domain')}
        className="fc-wide"
        value={form.values.domain || null}
        data={[...new Set([...domains, ...(form.values.domain === '' ? [] : [form.values.domain])])]}
        clearable={!isReadOnly}
        placeholder={domains[0] ?? 'No verified public domain'}
        description={<bdi>For the address and the QR code.</bdi>}
      />
      <TagsInput
        {...field('tags')}
        className="fc-wide"
        data={NO_CHOICES}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear tags' }}
      />
      <TextInput {...field('utmSource')} maxLength={100} autoComplete="off" placeholder="print" />
      <TextInput {...field('utmMedium')} maxLength={100} autoComplete="off" placeholder="qr" />
      <TextInput
        {...field('utmCampaign')}
        className="fc-wide"
        maxLength={100}
        autoComplete="off"
        description={
          <bdi>Parameters that the short URL is opened with are passed on, and win over these.</bdi>
        }
      />
      <TextInput
        {...field('previewTitle')}
        className="fc-wide"
        maxLength={100}
        autoComplete="off"
        description={<bdi>What chats show of the link. Leave both blank to show what is at the target.</bdi>}
      />
      <TextInput {...field('previewPicture')} type="url" className="fc-wide" dir="ltr" autoComplete="off" />
    </div>
  )
}

/** The customer's verified public domains; none if the user may not read them. */
function usePublicDomains(): string[] {
  const { rows } = useSearchable(whiteLabels.list, {
    filter: 'purpose == "public" && state == "verified"',
    sort: 'domain',
  })
  return rows.map(({ domain }) => domain)
}

function VehicleSelect({ record: { field, form, isReadOnly }, saved }: Props) {
  const { rows, search } = useSearchable(vehicles.list, { sort: '-updatedAt' })
  const choices = rows.map(({ id, year, make, model, trim, stock }) => ({
    value: id,
    label:
      [[year, make, model, trim].filter(Boolean).join(' '), stock].filter(Boolean).join(', ') ||
      `Vehicle ${id}`,
  }))
  return (
    <Select
      {...field('vehicleId')}
      value={form.values.vehicleId || null}
      data={withSaved(choices, saved?.vehicleId ?? null, saved)}
      className="fc-wide"
      required
      searchable={!isReadOnly}
      onSearchChange={search}
      placeholder="Search by name, stock number or VIN"
      nothingFoundMessage="No vehicles found"
      description={<bdi>Follows the vehicle when its name or price changes, and when it is sold.</bdi>}
    />
  )
}

function FormSelect({ record: { field, form, isReadOnly }, saved }: Props) {
  const { rows, search } = useSearchable(forms.list, { sort: 'name' })
  const choices = rows.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      {...field('formId')}
      value={form.values.formId || null}
      data={withSaved(choices, saved?.formId ?? null, saved)}
      className="fc-wide"
      required
      searchable={!isReadOnly}
      onSearchChange={search}
      nothingFoundMessage="No forms found"
    />
  )
}

function PageSelect({ record: { field, form, isReadOnly }, saved }: Props) {
  const { rows, search } = useSearchable(promoPages.list, { sort: 'name' })
  const choices = rows.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      {...field('pageId')}
      value={form.values.pageId || null}
      data={withSaved(choices, saved?.pageId ?? null, saved)}
      className="fc-wide"
      required
      searchable={!isReadOnly}
      onSearchChange={search}
      nothingFoundMessage="No promo pages found"
      description={<bdi>Follows the page when its address changes.</bdi>}
    />
  )
}

type Choice = { value: string; label: string }

/** The saved target is a choice even if it isn't on the first page. */
function withSaved(choices: Choice[], id: string | null, saved: ShortUrl | null): Choice[] {
  if (id === null || choices.some(({ value }) => value === id)) return choices
  return [{ value: id, label: saved?.targetTitle ?? 'Not available to you' }, ...choices]
}
