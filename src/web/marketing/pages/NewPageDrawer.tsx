import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { send } from '#web/api/query.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { NewRecord } from '#web/ui/record/NewRecord.tsx'
import { addressFor } from '../forms/new-form.ts'
import { pageForm } from './page-form.ts'

const addPage = send(promoPages.add)
const BLANK = { name: '', slug: '', lotId: '', layoutId: '' }
const LABELS = { name: 'Name', slug: 'Address', lotId: 'Lot', layoutId: 'Layout' }

/** What a new page needs. Its blocks are added in the editor, which opens with it. */
export function NewPageDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { choices, search } = useLotNames()
  const layouts = useSearchable(dvpLayouts.list, { sort: 'name' })
  return (
    <NewRecord
      noun="promo page"
      about="A page of your public site"
      endpoint={promoPages.add}
      blank={BLANK}
      labels={LABELS}
      toInput={toInput}
      add={(values) => addPage(toInput(values))}
      opens={{ get: promoPages.get, labels: pageForm.labels }}
      onAdded={({ id }, { isTyping }) =>
        void navigate({
          to: '/administration/promo-pages/$id',
          params: { id },
          // Where the same fields are.
          search: isTyping ? { tab: 'settings' } : {},
          ignoreBlocker: true,
        })
      }
      onClose={onClose}
    >
      {({ field, form: { values }, change, isSaving }) => (
        <>
          <TextInput
            {...field('name')}
            className="fc-wide"
            data-autofocus
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ currentTarget: { value: name } }) => {
              const isFollowing = !isSaving && values.slug === addressFor(values.name)
              // Until it is edited, the address follows the name.
              change({ name, ...(isFollowing && { slug: addressFor(name) }) })
            }}
          />
          <TextInput
            {...field('slug')}
            className="fc-wide"
            required
            maxLength={60}
            autoComplete="off"
            dir="ltr"
            description={<bdi>{`On your public site: /p/${values.slug || 'truck-clearance'}`}</bdi>}
          />
          <Select
            {...field('lotId')}
            value={values.lotId || null}
            onChange={(lotId) => change({ lotId: lotId ?? '' })}
            className="fc-wide"
            data={choices}
            searchable
            onSearchChange={search}
            clearable
            placeholder="All organizations"
            description={<bdi>The store that the page belongs to.</bdi>}
          />
          <Select
            {...field('layoutId')}
            value={values.layoutId || null}
            onChange={(layoutId) => change({ layoutId: layoutId ?? '' })}
            className="fc-wide"
            data={layouts.rows.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            onSearchChange={layouts.search}
            clearable
            placeholder="None"
            description={<bdi>Which blocks the page may have, and which are on it anyway.</bdi>}
          />
        </>
      )}
    </NewRecord>
  )
}

const toInput = ({ name, slug, lotId, layoutId }: typeof BLANK) => ({
  name,
  slug,
  title: name,
  lotId: lotId || null,
  layoutId: layoutId || null,
})
