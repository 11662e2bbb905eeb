import { IconMail } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Mail, MAIL_STATES, outbox } from '#contract/mail/outbox.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Filter } from '#web/ui/Filter.tsx'
import { ListBody } from '#web/ui/ListBody.tsx'
import { count } from '#web/ui/moment.ts'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { columns, MailBlock } from './mail-columns.tsx'
import { KEPT_REASON, STATE_NAMES } from './mail-words.ts'
import '../mail.css'

const route = getRouteApi('/shell/administration/outbox')
const STATES = MAIL_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))

const MailDrawer = lazy(async () => ({ default: (await import('./MailDrawer.tsx')).MailDrawer }))

/** The mails the product wrote for this customer, newest first; one open in a drawer with its own URL. */
export function OutboxPage() {
  const {
    page = 1,
    size = DEFAULT_PAGE_SIZE,
    sort = '-createdAt',
    search = '',
    state: wantedState,
    mail,
  } = route.useSearch()
  const navigate = route.useNavigate()
  const state = useList(outbox.list, {
    page,
    pageSize: size,
    sort,
    ...(search && { search }),
    ...(wantedState && { state: wantedState }),
  })
  const show = (change: ListSearch & { state?: Mail['state'] | undefined }) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace: 'search' in change,
    })
  const open = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, mail: id }) })
  const { failure, isPending, list } = state
  const hasKept = list.results?.some((row) => row.state === 'kept') ?? false
  const wanted = [search && `“${search}”`, wantedState && `the state ${STATE_NAMES[wantedState]}`].filter(
    Boolean,
  )

  return (
    <div className="fc-list">
      <PageHeader
        title="Outbox"
        context={
          failure || isPending ? '' : `${count(list.totalRows, 'mail', 'mails')} written for this customer.`
        }
      />
      <div className="fc-toolbar">
        <SearchField
          label="Search mails"
          placeholder="Recipient, subject"
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        <Filter
          name="State"
          value={wantedState}
          choices={STATES}
          onChange={(value) => show({ state: value })}
        />
      </div>
      {hasKept && (
        <p className="fc-note">
          <bdi>{KEPT_REASON}</bdi>
        </p>
      )}
      <ListBody
        {...{ state, columns, page, size, sort }}
        endpoint={outbox.list}
        label="Mails"
        nouns={['mail', 'mails']}
        rowId={(row: Mail) => row.id}
        selectedId={mail}
        block={showBlock}
        onShow={show}
        wanted={wanted.join(' and ')}
        onClear={() => show({ search: '', state: undefined })}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconMail size={18} />}
            title="No mails yet"
            text="Every mail that Forecourt writes for this customer stands here: invitations and links to set a password."
          />
        }
      />
      {mail !== undefined && (
        <Suspense>
          <MailDrawer key={mail} id={mail} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function showBlock(mail: Mail) {
  return <MailBlock mail={mail} />
}
