import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import type { PromoPage } from '#contract/marketing/pages/promo-pages.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import type { PageRecord } from './page-form.ts'

/** Name, address, texts for search engines, schedule and layout of a page. */
export function PageSettings({ record, page }: { record: PageRecord; page: PromoPage }) {
  const { field, form, isReadOnly } = record
  const { values } = form
  const lots = useLotNames()
  const layouts = useSearchable(dvpLayouts.list, { sort: 'name' })
  const layoutChoices = layouts.rows.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="fc-form-fields" style={NARROW}>
      <TextInput {...field('name')} required maxLength={100} autoComplete="off" />
      <TextInput
        {...field('slug')}
        required
        maxLength={60}
        autoComplete="off"
        dir="ltr"
        description={
          <bdi>
            {page.publishedNumber === null
              ? `On your public site: /p/${values.slug}`
              : 'Short URLs follow it, and the former address leads to the new one.'}
          </bdi>
        }
      />
      <TextInput
        {...field('title')}
        required
        maxLength={100}
        className="fc-wide"
        autoComplete="off"
        description={<bdi>In the tab of the browser, in search results and in messages.</bdi>}
      />
      <Textarea
        {...field('description')}
        maxLength={300}
        className="fc-wide"
        autosize
        minRows={2}
        description={<bdi>What search engines and messages show below the title.</bdi>}
      />
      <TextInput
        {...field('startsOn')}
        type="date"
        max="2100-12-31"
        description={
          <bdi>The next version is shown from this day on. Until then visitors see the one before.</bdi>
        }
      />
      <TextInput
        {...field('endsOn')}
        type="date"
        max="2100-12-31"
        description={<bdi>After this day visitors read that the page has ended.</bdi>}
      />
      <Select
        {...field('lotId')}
        value={values.lotId || null}
        onChange={(lotId) => record.change({ lotId: lotId ?? '' })}
        data={withSaved(lots.choices, page.lotId, page.lotName)}
        searchable={!isReadOnly}
        onSearchChange={lots.search}
        clearable={!isReadOnly}
        placeholder="All organizations"
      />
      <Select
        {...field('layoutId')}
        value={values.layoutId || null}
        onChange={(layoutId) => record.change({ layoutId: layoutId ?? '' })}
        data={withSaved(layoutChoices, page.layoutId, page.layoutName)}
        searchable={!isReadOnly}
        onSearchChange={layouts.search}
        clearable={!isReadOnly}
        placeholder="None"
        description={<bdi>{layoutHint(page, values.layoutId)}</bdi>}
      />
      <SiteSwitches record={record} />
    </div>
  )
}

/** What a visitor of a published page sees of another layout: at once, and not with the next version. */
function layoutHint({ publishedNumber, layoutId, layoutName }: PromoPage, chosen: string): string | null {
  if (publishedNumber === null || chosen === (layoutId ?? '')) return null
  return chosen === '' && layoutName !== null
    ? `As soon as you save, visitors see the page without ${layoutName}, its notices and its legal text.`
    : 'As soon as you save, visitors see the page with this layout.'
}

/** Where the site shows the page besides its address. */
function SiteSwitches({ record }: { record: PageRecord }) {
  const {
    form: { values },
    isReadOnly,
  } = record
  const flagField = (name: 'isHome' | 'isInMenu' | 'isInFooter') => ({
    className: 'fc-wide',
    checked: values[name],
    disabled: isReadOnly,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      record.change({ [name]: currentTarget.checked }),
  })
  return (
    <>
      <Switch
        {...flagField('isHome')}
        label="Home page of the site"
        description={
          <bdi>
            Visitors see it at the address of the site itself, from its first day to its last. All vehicles
            are at /vehicles. It takes the place of the page that was the home page before.
          </bdi>
        }
      />
      <Switch {...flagField('isInMenu')} label="Show in the menu of the site" />
      <Switch {...flagField('isInFooter')} label="Show in the footer of the site" />
    </>
  )
}

const NARROW = { maxInlineSize: 760 } as const

type Choice = { value: string; label: string }

/** What is saved is a choice even if it isn't on the first page. */
function withSaved(choices: Choice[], id: string | null, name: string | null): Choice[] {
  if (id === null || choices.some(({ value }) => value === id)) return choices
  return [{ value: id, label: name ?? 'Not available to you' }, ...choices]
}
