import { Group } from '@mantine/core'
import { IconPrinter, IconQrcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import {
  BROKEN_RULE,
  SHORT_URL_LIST,
  SHORT_URL_TARGETS,
  type ShortUrl,
  shortUrls,
} from '#contract/marketing/short-urls/short-urls.ts'
import { labelOf } from '#contract/record.ts'
import { query } from '#web/api/query.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { AddManyButton } from './AddManyButton.tsx'
import { ShortUrlState } from './ShortUrlState.tsx'
import { TargetAnswer } from './TargetAnswer.tsx'
import { UnknownKeys } from './UnknownKeys.tsx'

/** Loaded when a short URL is opened, with the code that draws QR codes. */
const ShortUrlDrawer = lazy(async () => ({ default: (await import('./ShortUrlDrawer.tsx')).ShortUrlDrawer }))

const ACTIONS: readonly BulkAction[] = [
  {
    id: 'print',
    label: 'Print QR sheet',
    icon: <IconPrinter size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: shortUrls.sheet,
    async start(selection) {
      await fetchFile(shortUrls.sheet, { selection }, 'QR codes')
      return 'done'
    },
  },
]

/** The short URLs within the user's reach; one opens in a drawer with its own URL. */
export function ShortUrlsPage() {
  return (
    <RecordList
      list={SHORT_URL_LIST}
      calls={shortUrls}
      param="shortUrl"
      Drawer={ShortUrlDrawer}
      roles={ROLES}
      cells={CELLS}
      second={showTarget}
      widths={WIDTHS}
      searches="Name, key, target, tag"
      note={showNotes}
      actions={<AddManyButton />}
      bulk={ACTIONS}
      removeText="Their addresses stop working, also on what is printed. You can undo this."
      icon={<IconQrcode size={18} />}
      purpose="A short URL is a short address with a QR code, for signs, print and messages. It opens a vehicle, a form or another site."
    />
  )
}

function showNotes() {
  return (
    <>
      <BrokenTargets />
      <UnknownKeys />
    </>
  )
}

/** A notice above the list with how many short URLs lead to a web address that is broken. Hidden if none do. */
function BrokenTargets() {
  const { data } = useQuery(query(shortUrls.list, { filter: BROKEN_RULE, pageSize: 1 }))
  const broken = data?.filteredRows ?? 0
  if (broken === 0) return null
  return (
    <Group
      component="section"
      gap={12}
      align="baseline"
      mx="var(--fc-gutter)"
      mb={8}
      aria-label="Broken targets"
    >
      <Status tone="bad" mark="cross">
        {count(broken, 'web address', 'web addresses')} can't be opened
      </Status>
      <Link to="/administration/short-url" search={{ filter: BROKEN_RULE }} className="fc-link">
        Show
      </Link>
    </Group>
  )
}

const showTarget = ({ target, targetTitle }: ShortUrl) => (
  <>
    {labelOf(SHORT_URL_TARGETS, target)}
    {targetTitle !== null && (
      <>
        {' · '}
        <bdi>{targetTitle}</bdi>
      </>
    )}
  </>
)

/** The card on a narrow screen. */
const ROLES = { code: 'key', line: showTarget, marks: ['status'] } as const

/** Custom cells. */
const CELLS: Cells<ShortUrl, keyof typeof SHORT_URL_LIST.fields> = {
  key: ({ key }) => (
    <bdi className="fc-number" dir="ltr">
      {key}
    </bdi>
  ),
  // What works leads somewhere: what is there counts.
  status: ({ status, check }) =>
    status === 'active' && check !== null && check.answer !== 'ok' ? (
      <TargetAnswer check={check} />
    ) : (
      <ShortUrlState status={status} />
    ),
  answer: ({ check }) => check && <TargetAnswer check={check} />,
  targetTitle: ({ targetTitle }) => <bdi>{targetTitle}</bdi>,
}

const WIDTHS = { name: 300, key: 120, clicks: 120, status: 240 }
